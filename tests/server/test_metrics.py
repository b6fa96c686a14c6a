"""The figures that an operator reads: complete, readable, with nothing secret, and nowhere else."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import yaml

from bluebear.server.app import App
from bluebear.server.config import read_config
from bluebear.server.ops.metrics import (
    counter,
    figure,
    figures,
    gauge,
    histogram,
    open_metrics,
)
from bluebear.server.runtime import BOUNDS, COUNTERS, Times
from tests.server.fixtures import GAMES, NO_HOUSE, Stage
from tests.support.loop_clock import LoopClock
from tests.support.simulated_store import SimulatedStore

ROOT = Path(__file__).parents[2]
LINE = re.compile(
    r'(?P<name>[a-z_]+)(?P<labels>\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (?P<value>\S+)'
)


def text_of(stage: Stage) -> str:
    async def look() -> str:
        stage.app.watch.meter = lambda: 1.5
        return "".join(figures(stage.app))

    return stage.run(look())


def values(text: str) -> dict[str, float]:
    results = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            match = LINE.fullmatch(line)
            assert match, line
            results[match["name"] + (match["labels"] or "")] = float(match["value"])
    return results


# The text.


def test_the_text_is_that_of_prometheus() -> None:
    times = Times()
    for seconds in (0.0005, 0.003, 0.003, 9.0):
        times.add(seconds)
    shown = "".join(
        [
            gauge("rooms", "rooms now", 3),
            counter("lines", "lines so far", 12),
            figure("cut", "counter", "by why", {('a "b"\n\\',): 2.0}, "why"),
            histogram("took", "seconds", times),
        ]
    )
    assert shown.splitlines()[:8] == [
        "# HELP bluebear_rooms rooms now",
        "# TYPE bluebear_rooms gauge",
        "bluebear_rooms 3",
        "# HELP bluebear_lines_total lines so far",
        "# TYPE bluebear_lines_total counter",
        "bluebear_lines_total 12",
        "# HELP bluebear_cut by why",
        "# TYPE bluebear_cut counter",
    ]
    assert 'bluebear_cut{why="a \\"b\\"\\n\\\\"} 2' in shown
    assert 'bluebear_took_bucket{le="0.001"} 1' in shown
    assert 'bluebear_took_bucket{le="0.005"} 3' in shown
    assert 'bluebear_took_bucket{le="+Inf"} 4' in shown
    assert "bluebear_took_count 4" in shown
    assert len(BOUNDS) + 1 == shown.count("_bucket{")


# The figures.


def test_an_evening_is_counted(stage: Stage) -> None:
    before = values(text_of(stage))
    stage.game("journey", "Ayu", "Ben")
    stage.say("Ayu", "/chess")
    token = stage.people["Ben"].token
    stage.drop("Ben")
    stage.connect("Ben", token=token)
    after = values(text_of(stage))

    def more(name: str) -> float:
        return after[name] - before.get(name, 0.0)

    assert more("bluebear_lines_total") >= 5
    assert more('bluebear_refused_total{code="unknown_command"}') == 1
    assert more("bluebear_connections_resumed_total") == 1
    assert more("bluebear_publish_snapshots_total") >= 2
    assert after['bluebear_rooms{phase="playing",privacy="unlisted"}'] == 1
    assert after["bluebear_connections"] == 2
    assert after["bluebear_commits_total"] == after["bluebear_commit_seconds_count"] > 0
    assert after["bluebear_healthy"] == 1
    assert after["bluebear_loop_busy_seconds_total"] == 1.5


def test_private_rooms_are_counted_here(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="private")
    assert values(text_of(stage))['bluebear_rooms{phase="open",privacy="private"}'] == 1


def test_every_counter_of_the_server_is_shown(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = set()
    for path in (ROOT / "server").rglob("*.py"):
        names |= set(re.findall(r'\bcount\(f?"([a-z_.]+)', path.read_text(encoding="utf-8")))
    assert len(names) > 20
    for name in names:
        monkeypatch.setitem(COUNTERS, f"{name}x" if name.endswith(".") else name, 1)
    shown = values(text_of(stage))
    for name in names - {"lines"}:
        start = name.rstrip(".")
        hits = [each for each in shown if start.replace(".", "_") in each or start in each]
        assert any(shown[each] >= 1 for each in hits) or name.startswith(
            ("refused.", "budget.", "connections.cut.")
        ), name
    assert not [each for each in shown if each.startswith("bluebear_events_total")], (
        "each counter has a figure of its own"
    )


def test_nothing_that_people_say_or_are_called_is_in_it(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "a secret of ours", "/password swordfish")
    text = text_of(stage)
    secrets = ("Ayu", "Ben", "secret", "swordfish", stage.room_id, stage.people["Ayu"].token)
    assert not [each for each in secrets if each in text]


# The alerts.


def alerts() -> dict[str, str]:
    """The expressions of the alerts, by name; each has a summary."""
    rules = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text(encoding="utf-8"))
    listed = [rule for group in rules["groups"] for rule in group["rules"]]
    assert all(rule["annotations"]["summary"] for rule in listed)
    return {rule["alert"]: rule["expr"] for rule in listed}


def test_every_alert_asks_for_a_figure_that_there_is(stage: Stage) -> None:
    shown = set(re.findall(r"# TYPE (\S+) (\S+)", text_of(stage)))
    names = {name for name, _ in shown}
    names |= {
        f"{name}{end}"
        for name, kind in shown
        for end in ("_bucket", "_sum", "_count")
        if kind == "histogram"
    }
    assert len(alerts()) > 12
    for alert, expression in alerts().items():
        requests = set(re.findall(r"bluebear_[a-z_]+", expression))
        assert requests or "up{" in expression, alert
        assert requests <= names, requests - names


@pytest.mark.parametrize("alert", alerts())
def test_what_an_alert_adds_and_compares_has_the_same_labels(alert: str) -> None:
    """A sum has no labels: Prometheus finds no partner for it where the other side has some."""
    expression = alerts()[alert]
    while (outer := re.sub(r"\([^()]*\)", "", expression)) != expression:
        expression = outer
    sides = re.split(r" (?:[-+*/<>]|==|and|or) ", expression)
    vectors = [side for side in sides if re.match("[a-z]", side)]
    assert len({side == "sum" for side in vectors}) == 1, vectors


def test_refused_lines_alarm_when_they_are_more_than_half(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    before = values(text_of(stage))
    for line in ("hello", "/nonsense", "/nonsense"):
        stage.say("Ayu", line)
    after = values(text_of(stage))
    refused = sum(
        after[each] - before.get(each, 0) for each in after if "_refused_total{code" in each
    )
    lines = after["bluebear_lines_total"] - before["bluebear_lines_total"]
    assert (refused, lines) == (2, 3), "a line that is refused is a line, too"
    assert alerts()["BluebearRefusals"].endswith("> sum(rate(bluebear_lines_total[5m])) / 2")


NODE_DIED = """
rule_files: [{rules}]
evaluation_interval: 15s
tests:
  - name: a node is killed, and node b replaces it
    interval: 15s
    input_series:
      - {{series: 'bluebear_nodes_buried_total{{instance="a"}}', values: '0x80'}}
      - {{series: 'bluebear_nodes_buried_total{{instance="b"}}', values: '0x8 1x72'}}
    alert_rule_test:
      - {{eval_time: 1m, alertname: BluebearNodeDied}}
      - eval_time: 3m
        alertname: BluebearNodeDied
        exp_alerts: [{{exp_labels: {{instance: b}}, exp_annotations: {{summary: {summary}}}}}]
      - {{eval_time: 19m, alertname: BluebearNodeDied}}
  - name: both nodes start again one by one, and one of them has replaced a node before
    interval: 15s
    input_series:
      - {{series: 'bluebear_nodes_buried_total{{instance="a"}}', values: '1x8 _x2 0x60'}}
      - {{series: 'bluebear_nodes_buried_total{{instance="b"}}', values: '0x16 _x2 0x60'}}
      - {{series: 'bluebear_loop_busy_seconds_total{{instance="a"}}', values: '1+1x8 _x2 1+1x60'}}
      - {{series: 'bluebear_loop_busy_seconds_total{{instance="b"}}', values: '1+1x16 _x2 1+1x60'}}
    alert_rule_test:
      - {{eval_time: 3m, alertname: BluebearNodeDied}}
      - {{eval_time: 6m, alertname: BluebearNodeDied}}
  - name: node b has replaced a killed one, and is killed and replaced itself
    interval: 15s
    input_series:
      - {{series: 'bluebear_nodes_buried_total{{instance="b"}}', values: '1x120'}}
      - {{series: 'bluebear_loop_busy_seconds_total{{instance="b"}}', values: '1+1x39 1+1x80'}}
    alert_rule_test:
      - {{eval_time: 9m, alertname: BluebearNodeDied}}
      - eval_time: 11m
        alertname: BluebearNodeDied
        exp_alerts: [{{exp_labels: {{instance: b}}, exp_annotations: {{summary: {summary}}}}}]
      - {{eval_time: 26m, alertname: BluebearNodeDied}}
"""


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="on Debian: apt-get install prometheus"
)
def test_a_node_that_died_alarms_and_a_rolling_restart_does_not(tmp_path: Path) -> None:
    rules = ROOT / "docs" / "alerts.yml"
    groups = yaml.safe_load(rules.read_text(encoding="utf-8"))["groups"]
    listed = {rule["alert"]: rule for group in groups for rule in group["rules"]}
    summary = listed["BluebearNodeDied"]["annotations"]["summary"]
    file = tmp_path / "test.yml"
    file.write_text(NODE_DIED.format(rules=rules, summary=repr(summary)), encoding="utf-8")
    result = subprocess.run(
        ["promtool", "test", "rules", file], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_promise_that_can_be_counted_has_an_alert() -> None:
    text = (ROOT / "docs" / "alerts.yml").read_text(encoding="utf-8")
    for each in (
        "trouble",
        "journal_not_saved",
        "commit_seconds",
        "loop_lag",
        "digests_different",
        "rooms_held",
        "connections_cut",
        "refused",
        "budget_refused",
        "resumed",
        "snapshots",
        "bugs",
        "disk_free",
    ):
        assert f"bluebear_{each}" in text or each in text, each


# The address.


@pytest.fixture
async def port() -> AsyncIterator[int]:
    app = App(NO_HOUSE, SimulatedStore(), GAMES, LoopClock())
    opened = await open_metrics(app, "127.0.0.1", 0)
    yield opened.sockets[0].getsockname()[1]
    opened.close()
    await opened.wait_closed()


async def ask(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_the_figures_are_read_there(port: int) -> None:
    answer = await ask(port, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert b"text/plain; version=0.0.4" in head
    assert b"\nbluebear_connections 0\n" in body


@pytest.mark.parametrize(
    "request_line", [b"GET / HTTP/1.1", b"POST /metrics HTTP/1.1", b"nonsense", b"GET /metricsx x"]
)
async def test_nothing_else_is_there(port: int, request_line: bytes) -> None:
    assert b"404" in await ask(port, request_line + b"\r\n\r\n")


async def test_who_sends_too_much_gets_nothing(port: int) -> None:
    assert await ask(port, b"GET /metrics HTTP/1.1\r\nX: " + b"x" * 20_000) == b""


def test_it_is_off_unless_it_is_requested() -> None:
    assert read_config([], {}).metrics == ""
    assert read_config([], {"BLUEBEAR_METRICS": "127.0.0.1:9464"}).metrics == "127.0.0.1:9464"
    assert read_config(["--metrics", "[::1]:9464"], {}).metrics == "[::1]:9464"


@pytest.mark.parametrize("text", ["9464", "here:there", ":9464", "127.0.0.1:99999"])
def test_an_address_is_an_address(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read_config(["--metrics", text], {})
    assert "HOST:PORT" in capsys.readouterr().err
