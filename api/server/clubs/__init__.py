"""Many clubs in one installation: a folder each, opened when somebody asks for it."""
