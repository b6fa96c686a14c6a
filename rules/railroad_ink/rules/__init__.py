"""What is legal and what happens, in the order of the rule book."""
