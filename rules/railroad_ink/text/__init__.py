"""What people read and type: board, sentences, move lists, replies to queries."""
