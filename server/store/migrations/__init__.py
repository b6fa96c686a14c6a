"""The steps from one version of the tables to the next, a module each, for Alembic."""
