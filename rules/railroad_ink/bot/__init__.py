"""What house bots and learners use: evaluation, search, determinization."""
