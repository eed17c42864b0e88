"""Apps that act for somebody: sign-in as JSON, and tokens with scopes."""
