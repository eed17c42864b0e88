"""Values for programs that use the law: typed, immutable, made of the masks inside."""
