"""The players' door: what became of an encuentro, and its proof, checked in the reader's browser."""
