"""The record nobody can alter unseen: its tree, its checkpoints, their proofs."""
