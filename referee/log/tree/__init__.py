"""The Merkle tree over the log: hashes of events, and how the tree grows."""
