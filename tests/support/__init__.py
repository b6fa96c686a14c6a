"""Doubles of the server's services that tests and the simulation share."""
