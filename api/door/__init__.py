"""The players' door: what became of an encuentro, and its proof, checked by the page itself."""
