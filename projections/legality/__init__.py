"""What the law says of the acts of a partida: findings, and the evidence behind them."""
