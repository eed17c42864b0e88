"""Results from a file: evenings in a spreadsheet, read, looked at, and only then written."""
