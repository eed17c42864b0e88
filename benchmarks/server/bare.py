"""Baseline of measurements: a bare Flask route, and one with a single durable commit."""

from __future__ import annotations

import os
import sqlite3
import threading

from flask import Flask, jsonify, request


def bare() -> Flask:
    app = Flask(__name__)

    @app.post("/")
    def nothing():
        return jsonify(ok=bool(request.get_json()))

    return app


def durable() -> Flask:
    app = Flask(__name__)
    path, mine = os.environ["BARE_DB"], threading.local()

    def connection() -> sqlite3.Connection:
        if not hasattr(mine, "db"):
            mine.db = sqlite3.connect(path, isolation_level=None, timeout=30)
            mine.db.execute("PRAGMA journal_mode = WAL")
            mine.db.execute("PRAGMA synchronous = FULL")
            mine.db.execute("CREATE TABLE IF NOT EXISTS e (id INTEGER PRIMARY KEY, body TEXT)")
        return mine.db

    @app.post("/")
    def commit():
        db = connection()
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO e (body) VALUES (?)", (request.get_data(as_text=True),))
        db.execute("COMMIT")
        return jsonify(ok=True)

    return app
