"""The manual: a page a task, for secretary, arbiter, player and director."""
