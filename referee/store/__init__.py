"""Tables that are not the log: names, accounts, the security log; in files or in PostgreSQL."""
