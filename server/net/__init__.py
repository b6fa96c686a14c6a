"""Connections: bytes to a parsed request and back, and what each request costs.

Knows no room and no feature.
"""
