"""The audit: checkpoints, proofs and the notary, by which any change of the log is found."""
