"""Lets the contracts' assertions say what differs, as those of a test file do."""

import pytest

pytest.register_assert_rewrite(
    "tests.server.journal.contract",
    "tests.server.journal.nodes_contract",
    "tests.server.journal.outbox_contract",
    "tests.server.journal.people_contract",
    "tests.server.journal.store_contract",
    "tests.server.journal.transfer_contract",
)
