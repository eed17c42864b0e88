"""The write side: the law of guiñote, recorded acts, and the conclusions from them."""
