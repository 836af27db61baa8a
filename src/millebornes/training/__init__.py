"""How the weights of the bots are made."""
