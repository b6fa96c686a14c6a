"""Run by Alembic: takes the steps on the connection that `upgrade` has given."""

from alembic import context

from bluebear.server.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # The caller's transaction, in SQLite too.
    transactional_ddl=True,
    # SQLite changes a table by making it anew.
    render_as_batch=True,
)
context.run_migrations()
