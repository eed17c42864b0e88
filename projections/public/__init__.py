"""The public view: what everybody at the table knows."""
