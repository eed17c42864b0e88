"""The tablet in node, for tests of what it shows and records."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.page_in_node import PageInNode, tablet_in_node
from tests.support.servers.served import Served


@pytest.fixture(scope="module")
def tablet(served: Served) -> Iterator[PageInNode]:
    """The tablet without a browser: each test of a file goes on with it."""
    with tablet_in_node(served) as page:
        yield page
