"""The map, cards and tables as printed: data files, read and checked."""
