"""Money: amounts and prizes as people write them, for evenings, seasons and tournaments."""
