"""The replay: a disputed hand step by step."""
