"""The scene: its table, what is told of it afterwards, and scenes to learn and practise in."""
