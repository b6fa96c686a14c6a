"""People: names, tokens and passwords."""
