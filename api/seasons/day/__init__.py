"""The day of an evening or of an encuentro, corrected: a clock may have been wrong."""
