"""Cases: disputes, their rulings, and the actas that are signed."""
