"""Do the import contracts hold the house's table, also for a game nobody has written yet?

Each scene adds one import to a small model of the house and asks `lint-imports`.
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
    "clients/bots/house.py",
    "clients/sdk/client.py",
    "clients/terminal/line.py",
    "protocol/codec.py",
    "rules/core/game.py",
    "rules/core/merging.py",
    "rules/manhattan/state.py",
    "rules/sixth/state.py",
    "server/__main__.py",
    "server/app.py",
    "server/commands/scene.py",
    "server/edge/reception.py",
    "server/engine/engine.py",
    "server/engine/live.py",
    "server/journal/entry.py",
    "server/link/outward.py",
    "server/lookups.py",
    "server/lookback/course.py",
    "server/node.py",
    "server/people/people.py",
    "server/room/state.py",
    "server/sentences.py",
    "server/watch/figures.py",
)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A model of the house under the real contracts, without any import."""
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
        "bluebear/__main__.py": "import clients.terminal.line, server.app",
        "clients/bots/house.py": "import rules.core.game\nfrom rules import core",
        "clients/sdk/client.py": "import protocol.codec",
        "clients/terminal/line.py": "import clients.sdk.client",
        "protocol/codec.py": "import rules.core.merging",
        "rules/__init__.py": "import rules.core.game",
        "rules/sixth/state.py": "import rules.core.game\nfrom rules import core",
        "rules/sixth/__init__.py": "import rules.sixth.state",
        "server/app.py": "import rules, rules.core.game, protocol.codec",
    }.items():
        (house / path).write_text(line + "\n", encoding="utf-8")
    assert f"{CONTRACTS} kept, 0 broken" in judge(house)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        pytest.param("rules/sixth/state.py", "import rules.manhattan.state", id="game-game"),
        pytest.param("rules/sixth/state.py", "import protocol.codec", id="game-protocol"),
        pytest.param("rules/sixth/state.py", "import server.app", id="game-server"),
        pytest.param("rules/core/game.py", "import rules.sixth.state", id="core-game"),
        pytest.param("rules/core/game.py", "import clients.sdk.client", id="core-client"),
        pytest.param("protocol/codec.py", "import rules.core.game", id="protocol-rules"),
        pytest.param("server/app.py", "import clients.bots.house", id="server-client"),
        pytest.param("server/app.py", "import rules.sixth.state", id="server-game"),
        pytest.param("clients/sdk/client.py", "import server.app", id="client-server"),
        pytest.param("clients/sdk/client.py", "import rules.core.game", id="sdk-rules"),
        pytest.param("clients/terminal/line.py", "import rules", id="terminal-rules"),
        pytest.param("clients/terminal/line.py", "import rules.core", id="terminal-core"),
        pytest.param("clients/bots/house.py", "import rules.sixth.state", id="bot-game"),
        pytest.param("server/app.py", "import bluebear", id="server-command"),
        pytest.param("server/engine/live.py", "import server.edge.reception", id="engine-edge"),
        pytest.param("server/edge/reception.py", "import server.engine.live", id="edge-room"),
        pytest.param("server/room/state.py", "import server.commands.scene", id="room-commands"),
        pytest.param("server/journal/entry.py", "import server.people.people", id="journal-people"),
    ],
)
def test_a_forbidden_import_is_found(house: Path, path: str, line: str) -> None:
    (house / path).write_text(line + "\n", encoding="utf-8")
    assert f"{CONTRACTS - 1} kept, 1 broken" in judge(house)


def test_no_circle_of_imports_in_the_server() -> None:
    """Nobody imports what holds him, not even for a type."""
    graph = grimp.build_graph("server", cache_dir=None)
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
