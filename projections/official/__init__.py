"""The official view: everything in the record, for those who may read it."""
