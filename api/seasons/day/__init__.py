"""The day of an evening, a tournament or an encuentro, corrected: a clock may have been wrong."""
