"""The server: composition, processes, files, backups."""
