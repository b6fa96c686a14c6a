"""A game whose rules have changed: `heap` plays by version 2, and keeps version 1 beside it."""
