"""A store that fails: answers to requests, the end of a command, what is served all the same."""
