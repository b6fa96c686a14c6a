"""One module for each version; the newest is `upgrade.VERSION`."""
