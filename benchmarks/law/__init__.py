"""Speed of the law, of evidence and of the analysis."""
