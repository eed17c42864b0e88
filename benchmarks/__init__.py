"""Figures of docs/performance.md, each by a script."""
