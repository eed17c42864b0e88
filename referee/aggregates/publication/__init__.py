"""What a club publishes for rankings between clubs: who agreed, joints, results by month."""
