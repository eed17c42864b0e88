"""The application: the only writer, and what each room does through it."""
