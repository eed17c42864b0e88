"""The lobby of many clubs: where clubs are found, born and looked after from outside."""
