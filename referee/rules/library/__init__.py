"""Public values of the law: typed, immutable, converted from and to the masks used inside."""
