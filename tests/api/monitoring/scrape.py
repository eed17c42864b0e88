"""Metrics of a service as Prometheus reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families


class Scrape(NamedTuple):
    """Samples of a page: name, labels, value."""

    samples: tuple[tuple[str, dict[str, str], float], ...]

    def of(self, name: str, **labels: str) -> Iterator[float]:
        """Values of a metric with these labels, and any others."""
        return (
            value
            for found, has, value in self.samples
            if found == name and labels.items() <= has.items()
        )

    def total(self, name: str, **labels: str) -> float:
        return sum(self.of(name, **labels))

    def labels(self, name: str) -> set[str]:
        return {label for found, has, _ in self.samples if found == name for label in has}

    def values(self, name: str, label: str) -> set[str]:
        return {has[label] for found, has, _ in self.samples if found == name and label in has}


def scrape(page: str) -> Scrape:
    """The samples of a page in the text format."""
    return Scrape(
        tuple(
            (one.name, dict(one.labels), one.value)
            for family in text_string_to_metric_families(page)
            for one in family.samples
        )
    )
