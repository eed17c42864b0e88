"""The move of a house between the files of a data folder and PostgreSQL."""
