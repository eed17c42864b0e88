"""Figures of docs/developing/performance.md, each by a script."""
