"""Problems out of decided partidas, and what arrastres were worth."""
