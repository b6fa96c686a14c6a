"""What strangers read of the first lessons, and what they were asked: see `README.md`."""
