"""Evidence: what the seen cards prove about each act, over all possible unseen cards."""
