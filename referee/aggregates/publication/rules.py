"""Rules of publications by their ids: why something cannot be recorded."""

from __future__ import annotations

from enum import StrEnum


class PublicationRule(StrEnum):
    """Why something cannot be recorded of what a club publishes."""

    PUBLISHING_SAME = "publishing-same"
    NOT_PUBLISHED = "not-published"
    NOT_AGREED = "not-agreed"
    NAME_SAME = "name-same"
    PERSON_UNNAMED = "person-unnamed"
    MONTH_SAME = "month-same"
    ISSUE_OTHERWISE = "issue-otherwise"
    JOINTS_MANY = "joints-many"
    JOINT_KNOWN = "joint-known"
    JOINT_UNKNOWN = "joint-unknown"
    JOINT_OWN = "joint-own"
    CODE_BROKEN = "code-broken"
