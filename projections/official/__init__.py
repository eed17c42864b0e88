"""The official view: the whole record, for users with permission."""
