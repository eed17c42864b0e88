"""The application: the only writer of the log, with its operations for each room."""
