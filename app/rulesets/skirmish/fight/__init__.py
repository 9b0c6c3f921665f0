"""The rules of a skirmish: what is declared, what happens, and how the state follows from it."""
