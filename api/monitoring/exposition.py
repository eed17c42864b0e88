"""The page that Prometheus reads."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import accumulate
from typing import Final

from msgspec import UNSET
from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from api.monitoring.measures import BUCKETS_S, Counted, Measures, Timed
from api.monitoring.readiness import Report

PACKAGE: Final = "guinote-referee"
_BOUNDS: Final = (*map(str, BUCKETS_S), "+Inf")


class Exposition(Collector):
    """Metrics of the whole service: what its processes counted, and the state of its parts."""

    def __init__(self, measures: Measures, report: Callable[[], Report]) -> None:
        self._measures, self._report = measures, report
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)

    def page(self, accepted: str) -> tuple[bytes, str]:
        """All metrics in the format of Prometheus, and its media type.

        ``accepted``: The header ``Accept``.
        """
        encode, media_type = choose_encoder(accepted)
        return encode(self._registry), media_type

    def collect(self) -> Iterator[Metric]:
        """Every metric."""
        yield _program_info_metric()
        yield _gauge("guinote_start_time_seconds", "Since 1970.", self._measures.began)
        for one in vars(self._measures).values():
            if isinstance(one, Counted):
                yield _metric_of_counted(one)
            elif isinstance(one, Timed):
                yield _metric_of_timed(one)
        yield from _readiness_metrics(self._report())


def _program_info_metric() -> Metric:
    found = GaugeMetricFamily("guinote_info", "The program.", labels=("version", "python"))
    found.add_metric((version(PACKAGE), platform.python_version()), 1.0)
    return found


def _gauge(name: str, text: str, value: float) -> Metric:
    found = GaugeMetricFamily(name, text)
    found.add_metric((), value)
    return found


def _metric_of_counted(one: Counted) -> Metric:
    family = GaugeMetricFamily if one.kind == "gauge" else CounterMetricFamily
    found = family(one.name, one.text, labels=one.labels)
    is_large = len(one.labels) > 1
    for labels, value in one.samples():
        if value or not is_large:
            found.add_metric(labels, value)
    return found


def _metric_of_timed(one: Timed) -> Metric:
    found = HistogramMetricFamily(one.name, one.text, labels=one.labels)
    for labels, counts, seconds in one.samples():
        buckets = list(zip(_BOUNDS, accumulate(counts), strict=True))
        found.add_metric(labels, buckets, seconds)
    return found


def _readiness_metrics(report: Report) -> Iterator[Metric]:
    """Metrics of the state of each part of the service."""
    yield _gauge("guinote_ready", "1: the service is ready.", float(report.is_ready))
    parts = GaugeMetricFamily(
        "guinote_part_ok", "1: the part is as it should be.", labels=("part",)
    )
    for name, part in report.items():
        parts.add_metric((name,), float(part.status == "ok"))
    yield parts
    yield _gauge("guinote_log_damaged", "1: a page of the log is.", float(report.is_log_damaged))
    yield _gauge(
        "guinote_unsigned", "1: the notary cannot sign.", float(report.is_notary_late_or_failed)
    )
    views, notary, disk = (report.part("views"), report.part("notary"), report.part("disk"))
    known = (
        ("guinote_views_lag_events", "Events that the views lack.", views.behind),
        ("guinote_views_lag_seconds", "Age of the oldest of them.", views.age_s),
        ("guinote_checkpoint_age_seconds", "Since the notary was seen last.", notary.age_s),
        ("guinote_disk_free_bytes", "Left on the disk of the data.", disk.free),
        ("guinote_disk_size_bytes", "Size of that disk.", disk.size),
    )
    for name, text, value in known:
        if value is not UNSET:
            yield _gauge(name, text, value)
