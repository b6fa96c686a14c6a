"""Lets the contracts' assertions say what differs, as those of a test file do."""

import pytest

pytest.register_assert_rewrite(
    "tests.server.store.contract",
    "tests.server.store.nodes_contract",
    "tests.server.store.outbox_contract",
    "tests.server.store.people_contract",
    "tests.server.store.store_contract",
    "tests.server.store.transfer_contract",
)
