"""Study: finished partidas of clubs that agreed as tables, card by card, without personal data."""
