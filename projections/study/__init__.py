"""Study: finished partidas as tables, card by card, of clubs that agreed, and without anybody."""
