"""Checks that the import contracts hold the layering, also for a game that does not exist yet.

Each test adds one import to a small model of the project and runs `lint-imports` on it.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = len(SETTINGS["tool"]["importlinter"]["contracts"])
MODULES = (
    "bluebear/__main__.py",
    "bluebear/typescript.py",
    "bluebear/clients/bots/house_bots.py",
    "bluebear/clients/sdk/client.py",
    "bluebear/clients/terminal/line.py",
    "bluebear/protocol/codec.py",
    "bluebear/rules/core/game.py",
    "bluebear/rules/core/merge_patch.py",
    "bluebear/rules/manhattan/bot/greedy.py",
    "bluebear/rules/manhattan/data/tables.py",
    "bluebear/rules/manhattan/rules/state.py",
    "bluebear/rules/manhattan/text/names.py",
    "bluebear/rules/sixth/state.py",
    "bluebear/server/__main__.py",
    "bluebear/server/app.py",
    "bluebear/server/commands/scene.py",
    "bluebear/server/handshake.py",
    "bluebear/server/requests.py",
    "bluebear/server/features/feature.py",
    "bluebear/server/rooms/registry.py",
    "bluebear/server/rooms/room_actor.py",
    "bluebear/server/store/types.py",
    "bluebear/server/cluster/room_leases.py",
    "bluebear/server/lookups.py",
    "bluebear/server/net/budget.py",
    "bluebear/server/net/dispatch.py",
    "bluebear/server/net/http.py",
    "bluebear/server/net/pages.py",
    "bluebear/server/net/rate_limits.py",
    "bluebear/server/net/session.py",
    "bluebear/server/net/websocket.py",
    "bluebear/server/ops/control.py",
    "bluebear/server/ops/health.py",
    "bluebear/server/ops/metrics.py",
    "bluebear/server/ops/node.py",
    "bluebear/server/ops/records.py",
    "bluebear/server/ops/supervisor.py",
    "bluebear/server/ops/transfer.py",
    "bluebear/server/people/people.py",
    "bluebear/server/room/state.py",
    "bluebear/server/sentences.py",
)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A model of the project under the real contracts, without any import."""
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for module in MODULES:
        path = tmp_path / module
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        for package in path.relative_to(tmp_path).parents[:-1]:
            (tmp_path / package / "__init__.py").touch()
    return tmp_path


def judge(house: Path) -> str:
    """What the linter says of the model."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=house,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_the_allowed_imports_are_allowed(house: Path) -> None:
    for path, line in {
        "bluebear/__main__.py": "import bluebear.clients.terminal.line, bluebear.server.app",
        "bluebear/clients/bots/house_bots.py": "import bluebear.rules.core",
        "bluebear/clients/sdk/client.py": "import bluebear.protocol.codec",
        "bluebear/clients/terminal/line.py": "import bluebear.clients.sdk.client",
        "bluebear/protocol/codec.py": "import bluebear.rules.core.merge_patch",
        "bluebear/rules/__init__.py": "import bluebear.rules.core.game",
        "bluebear/rules/sixth/state.py": "import bluebear.rules.core",
        "bluebear/rules/sixth/__init__.py": "import bluebear.rules.sixth.state",
        "bluebear/server/app.py": "import bluebear.rules.core.game, bluebear.protocol.codec",
    }.items():
        (house / path).write_text(line + "\n", encoding="utf-8")
    assert f"{CONTRACTS} kept, 0 broken" in judge(house)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        pytest.param(
            "bluebear/rules/sixth/state.py",
            "import bluebear.rules.manhattan.rules.state",
            id="game-game",
        ),
        pytest.param(
            "bluebear/rules/manhattan/rules/state.py",
            "import bluebear.rules.manhattan.text.names",
            id="rules-texts",
        ),
        pytest.param(
            "bluebear/rules/sixth/state.py", "import bluebear.protocol.codec", id="game-protocol"
        ),
        pytest.param(
            "bluebear/rules/sixth/state.py", "import bluebear.server.app", id="game-server"
        ),
        pytest.param(
            "bluebear/rules/core/game.py", "import bluebear.rules.sixth.state", id="core-game"
        ),
        pytest.param(
            "bluebear/rules/core/game.py", "import bluebear.clients.sdk.client", id="core-client"
        ),
        pytest.param(
            "bluebear/protocol/codec.py", "import bluebear.rules.core.game", id="protocol-rules"
        ),
        pytest.param(
            "bluebear/server/app.py", "import bluebear.clients.bots.house_bots", id="server-client"
        ),
        pytest.param(
            "bluebear/server/app.py", "import bluebear.rules.sixth.state", id="server-game"
        ),
        pytest.param(
            "bluebear/clients/sdk/client.py", "import bluebear.server.app", id="client-server"
        ),
        pytest.param(
            "bluebear/clients/sdk/client.py", "import bluebear.rules.core.game", id="sdk-rules"
        ),
        pytest.param(
            "bluebear/clients/terminal/line.py", "import bluebear.rules", id="terminal-rules"
        ),
        pytest.param(
            "bluebear/clients/terminal/line.py", "import bluebear.rules.core", id="terminal-core"
        ),
        pytest.param(
            "bluebear/clients/bots/house_bots.py",
            "import bluebear.rules.sixth.state",
            id="bot-game",
        ),
        pytest.param("bluebear/server/app.py", "import bluebear.__main__", id="server-command"),
        pytest.param(
            "bluebear/server/rooms/room_actor.py",
            "import bluebear.server.requests",
            id="rooms-requests",
        ),
        pytest.param(
            "bluebear/server/handshake.py",
            "import bluebear.server.requests",
            id="handshake-requests",
        ),
        pytest.param(
            "bluebear/server/room/state.py",
            "import bluebear.server.commands.scene",
            id="room-commands",
        ),
        pytest.param(
            "bluebear/server/store/types.py",
            "import bluebear.server.people.people",
            id="journal-people",
        ),
    ],
)
def test_a_forbidden_import_is_detected(house: Path, path: str, line: str) -> None:
    (house / path).write_text(line + "\n", encoding="utf-8")
    assert f"{CONTRACTS - 1} kept, 1 broken" in judge(house)


def test_no_circle_of_imports_in_the_server() -> None:
    """No module imports a module that contains it, not even for a type."""
    graph = grimp.build_graph("bluebear", cache_dir=None)
    done: set[str] = set()

    def walk(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " > ".join((*path, module))
        if module in done:
            return
        for imported in sorted(graph.find_modules_directly_imported_by(module)):
            walk(imported, (*path, module))
        done.add(module)

    for module in sorted(graph.modules):
        walk(module, ())
