"""The official view: everything that the record tells, for the arbiter."""
