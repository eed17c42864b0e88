"""Evidence: what the cards seen say about every act, over all ways the unseen ones can lie."""
