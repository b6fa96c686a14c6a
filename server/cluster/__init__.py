"""A node among several over one database: leases of rooms, redirects, messages between nodes."""
