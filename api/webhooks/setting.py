"""The operator's setting for webhooks."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

VARIABLE: Final = "GUINOTE_WEBHOOKS"
"""``off``: nothing is sent; ``local``: also to addresses of the house's own network."""

WebhookSetting: TypeAlias = Literal["on", "local", "off"]
_SETTINGS: Final[tuple[WebhookSetting, ...]] = ("on", "local", "off")


def parse_webhook_setting(text: str) -> WebhookSetting:
    """The operator's setting for webhooks, read from a text, which may be empty.

    >>> parse_webhook_setting(""), parse_webhook_setting("Local")
    ('on', 'local')

    :raises ValueError: it is none
    """
    found = next((one for one in _SETTINGS if one == (text.lower() or "on")), None)
    if found is None:
        raise ValueError("it is on, local or off")
    return found
