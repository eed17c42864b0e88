"""The players' door.

A page of an encuentro for its players, with the decision, the reasons, and a proof that it checks
itself.
"""
