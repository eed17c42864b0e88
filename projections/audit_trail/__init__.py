"""Who recorded what, when, on which device, and what was corrected since."""
