"""The problem of the week: out of the club's own decided deals, solved by taps."""
