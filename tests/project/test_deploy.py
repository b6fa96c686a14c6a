"""Would the container be built from what is there, and does it run as it should?"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Mapping
from typing import Any, Final

import pytest
import yaml
from websockets.datastructures import Headers

from bluebear.__main__ import PROGRAMS
from bluebear.clients.transport.heartbeat import USUAL
from bluebear.server.config import Config, read_config
from bluebear.server.net.http import RequestPolicy
from bluebear.server.ops.health import Problem
from bluebear.server.sentences import UNUSABLE
from tests.project import tree

HEALTH: Final = "http://127.0.0.1:8765/healthz"


@pytest.fixture(scope="module")
def dockerfile() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile: word and arguments."""
    text = tree.text(tree.ROOT / "Dockerfile").replace("\\\n", " ")
    lines = (line.strip() for line in text.splitlines())
    parts = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return [(term, arguments.strip()) for term, _, arguments in parts]


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:  # Any: what YAML holds
    """The one service of docker-compose.yml that starts by itself."""
    compose = yaml.safe_load(tree.text(tree.ROOT / "docker-compose.yml"))
    plain = [name for name, each in compose["services"].items() if "profiles" not in each]
    assert plain == ["server"]
    assert list(compose["volumes"]) == ["games", "database"]
    results: dict[str, Any] = compose["services"]["server"]
    return results


def of(dockerfile: list[tuple[str, str]], term: str) -> list[str]:
    return [arguments for each, arguments in dockerfile if each == term]


def copied_from_here(dockerfile: list[tuple[str, str]]) -> list[str]:
    """What the builder takes from the checkout, not from another stage."""
    lines = [line for line in of(dockerfile, "COPY") if not line.startswith("--from=")]
    return [each for line in lines for each in shlex.split(line)[:-1]]


def test_everything_copied_exists_and_reaches_the_builder(
    dockerfile: list[tuple[str, str]],
) -> None:
    sources = copied_from_here(dockerfile)
    sent = tree.text(tree.ROOT / ".dockerignore").splitlines()
    assert [each for each in sources if not (tree.ROOT / each).exists()] == []
    reached = [f"!{each.split('/')[0]}" in sent or f"!{each}" in sent for each in sources]
    assert all(reached)


def test_every_package_is_copied(dockerfile: list[tuple[str, str]]) -> None:
    copied = {each for line in of(dockerfile, "COPY") for each in shlex.split(line)[:-1]}
    assert set(tree.PACKAGES) <= copied


def test_every_image_is_named_by_its_digest(dockerfile: list[tuple[str, str]]) -> None:
    services = tree.text(tree.ROOT / "docker-compose.yml")
    composed = [each for each in re.findall(r"image: (\S+)", services) if each != "bluebear"]
    assert len(composed) == 2
    for image in (*of(dockerfile, "ARG"), *composed):
        assert re.search(r"[a-z]+:[0-9.]+[a-z-]*@sha256:[0-9a-f]{64}\b", image), image


def test_the_image_installs_by_hash_only(dockerfile: list[tuple[str, str]]) -> None:
    installs = [line for line in of(dockerfile, "RUN") if "pip install" in line]
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)


def test_the_server_runs_as_a_user_without_rights(dockerfile: list[tuple[str, str]]) -> None:
    terms = [term for term, _ in dockerfile]
    assert of(dockerfile, "USER") == ["bluebear"]
    assert terms.index("USER") < terms.index("CMD")


def test_the_data_lie_in_the_volume(dockerfile: list[tuple[str, str]]) -> None:
    assert of(dockerfile, "VOLUME") == ["/data"]
    assert "BLUEBEAR_DATA=/data" in of(dockerfile, "ENV")


def test_the_container_starts_a_program_that_exists(dockerfile: list[tuple[str, str]]) -> None:
    command = yaml.safe_load(of(dockerfile, "CMD")[0])
    assert command[0] in PROGRAMS
    assert command[1:] == ["--host", "0.0.0.0", "--port", "8765"]


def test_image_and_service_ask_for_health_equally(
    dockerfile: list[tuple[str, str]], service: dict[str, Any]
) -> None:
    (line,) = of(dockerfile, "HEALTHCHECK")
    options, _, command = line.partition("CMD ")
    test = service["healthcheck"]["test"]
    assert test[0] == "CMD"
    assert test[1:] == yaml.safe_load(command)
    assert HEALTH in test[-1]
    assert dict(re.findall(r"--([a-z-]+)=(\S+)", options)) == {
        key.replace("_", "-"): str(value)
        for key, value in service["healthcheck"].items()
        if key != "test"
    }


def test_the_port_is_open_to_this_machine_only(service: dict[str, Any]) -> None:
    assert service["ports"] == ["127.0.0.1:8765:8765"]


def test_the_service_keeps_its_games_and_returns(service: dict[str, Any]) -> None:
    assert service["volumes"] == ["games:/data"]
    assert service["restart"] == "unless-stopped"
    assert service["stop_grace_period"] == "20s"


def test_every_setting_of_the_service_is_one_of_the_server(service: dict[str, Any]) -> None:
    page = tree.text(tree.ROOT / "docs" / "hosting.md")
    for name, value in service["environment"].items():
        assert f"`{name}`" in page
        assert value.startswith("${" + name + ":-")


def test_what_compose_trusts_is_a_network(service: dict[str, Any]) -> None:
    """And the port is open to this machine only, so that no other machine can pose as the proxy."""
    default = service["environment"]["BLUEBEAR_TRUSTED_PROXIES"].partition(":-")[2].rstrip("}")
    assert (
        RequestPolicy(Config(trusted_proxies=(default,)), "").address(
            "172.18.0.1", Headers({"X-Forwarded-For": "203.0.113.7"})
        )
        == "203.0.113.7"
    )
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_every_base_image_can_be_another_one(
    dockerfile: list[tuple[str, str]], service: dict[str, Any]
) -> None:
    """By the environment: an argument that compose gives no value is the environment's, or none."""
    given = [each.split("=", 1)[0] for each in of(dockerfile, "ARG")]
    bases = [line.split()[0] for line in of(dockerfile, "FROM")]
    assert bases == [f"${{{name}}}" for name in given]
    assert service["build"]["args"] == given


def test_the_list_of_parts_is_made_of_what_is_pinned() -> None:
    """`make sbom` reads the two locks, in which every part has a version and a hash."""
    shown = subprocess.run(
        ["make", "-n", "sbom"], cwd=tree.ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "requirements requirements.txt" in shown
    assert "--package-lock-only" in shown
    text = tree.text(tree.ROOT / "requirements.txt").replace("\\\n", " ")
    parts = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert len(parts) > 10
    assert all("==" in each and "--hash=sha256:" in each for each in parts)
    lock = json.loads(tree.text(tree.ROOT / "clients" / "web" / "package-lock.json"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert all("version" in each and "integrity" in each for each in packages.values())


class RecordingEnvironment(dict[str, str]):
    """An environment that remembers which of its variables were asked for."""

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.names: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:  # Any: as a dict has it
        self.names.add(key)
        return super().get(key, default)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:  # Any: what YAML holds
    """All of docker-compose.yml."""
    results: dict[str, Any] = yaml.safe_load(tree.text(tree.ROOT / "docker-compose.yml"))
    return results


@pytest.fixture(scope="module")
def nodes(compose: dict[str, Any]) -> dict[str, Any]:
    """The services of the profile that are nodes of ours."""
    results = {
        n: each for n, each in compose["services"].items() if each.get("image") == "bluebear"
    }
    del results["server"]
    return results


@pytest.fixture(scope="module")
def proxy() -> list[str]:
    """The lines of the proxy's configuration."""
    lines = tree.text(tree.ROOT / "deploy" / "haproxy.cfg").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def test_the_cluster_is_made_of_nodes_that_the_server_knows(nodes: dict[str, Any]) -> None:
    """The server's own parser takes every word and every variable of each."""
    assert sorted(nodes) == ["node-1", "node-2"]
    for name, each in nodes.items():
        assert each["profiles"] == ["cluster"]
        term, *rest = each["command"]
        assert term in PROGRAMS
        requested = RecordingEnvironment(
            {key: _plain(value) for key, value in each["environment"].items()}
        )
        read = read_config(rest, requested)
        assert requested.names.issuperset(requested), (
            f"nobody reads {set(requested) - requested.names}"
        )
        assert (read.node, each["hostname"]) == (name, name)
        assert read.store.startswith("postgresql://")
        assert f"http://{read.metrics}/metrics" in each["healthcheck"]["test"][-1]
        assert (read.host, read.port) == ("0.0.0.0", 8765)
        assert RequestPolicy(read, "").is_trusted_proxy("172.18.0.9")


def test_every_container_of_the_server_may_write_into_its_data(
    service: dict[str, Any], nodes: dict[str, Any], dockerfile: list[tuple[str, str]]
) -> None:
    """A volume has the owner that the image gives it; a tmpfs would be root's, and shut."""
    assert of(dockerfile, "VOLUME") == ["/data"]
    for each in (service, *nodes.values()):
        assert each["tmpfs"] == ["/tmp"]


def test_the_pages_name_services_that_there_are(compose: dict[str, Any]) -> None:
    for page in ("hosting", "ja/hosting"):
        text = tree.text(tree.ROOT / "docs" / f"{page}.md")
        named = re.findall(r"docker compose exec (\S+)", text)
        assert named
        assert set(named) <= set(compose["services"])


def test_the_cluster_has_all_that_its_services_name(
    compose: dict[str, Any], nodes: dict[str, Any]
) -> None:
    services = compose["services"]
    for each in services.values():
        assert set(each.get("depends_on", ())) <= set(services)
    for each in nodes.values():
        # Where the image is not there yet it is made, not looked for elsewhere.
        assert each["build"] == services["server"]["build"]
        user, _, rest = each["environment"]["BLUEBEAR_STORE"].partition("//")[2].partition(":")
        base = services["postgres"]["environment"]
        assert user == base["POSTGRES_USER"]
        assert rest == f"{base['POSTGRES_PASSWORD']}@postgres/{base['POSTGRES_DB']}"


def test_the_proxy_stands_before_all_nodes_and_says_alone_for_which_caller_it_speaks(
    compose: dict[str, Any], nodes: dict[str, Any], proxy: list[str]
) -> None:
    service = compose["services"]["proxy"]
    (published,) = service["ports"]
    (mounted,) = service["volumes"]
    assert (tree.ROOT / mounted.split(":")[0]).exists()
    assert f"bind :{published.rpartition(':')[2]}" in proxy
    backend = ""
    servers: dict[str, list[list[str]]] = {}
    for line in proxy:
        backend = line.removeprefix("backend ") if line.startswith("backend ") else backend
        if line.startswith("server "):
            servers.setdefault(backend, []).append(line.split()[1:3])
    each_node = {name: [name, f"{name}:8765"] for name in nodes}
    assert servers.pop("nodes") == list(each_node.values())
    assert servers == {name: [server] for name, server in each_node.items()}
    assert "use_backend %[path,field(3,/)] if named" in proxy
    spoken = proxy.index("option forwardfor")
    for header in ("Forwarded", "X-Forwarded-For"):
        assert proxy.index(f"http-request del-header {header}") < spoken


def test_the_proxy_uses_a_node_whose_loop_stood_still_once(proxy: list[str]) -> None:
    (rule,) = (line for line in proxy if line.startswith("http-check expect ! rstring "))
    avoided = re.compile(shlex.split(rule)[-1])
    for problem in Problem:
        troubles = [problem.value, "unreached: node-2"]
        report = {"ok": False, "troubles": troubles, "journal": {}, "rooms_held": 0}
        assert bool(avoided.search(json.dumps(report))) == (problem is not Problem.LOOP)
    assert not avoided.search(json.dumps({"ok": True, "troubles": [], "journal": {}}))


def test_the_proxy_takes_a_node_that_stands_still_out_before_its_clients_come_back(
    proxy: list[str],
) -> None:
    """Else half of them are led to it again, and wait for an answer to their handshake."""
    (rule,) = (line for line in proxy if line.startswith("default-server "))
    (look,) = (line.split()[-1] for line in proxy if line.startswith("timeout check "))
    every, again, fall = re.findall(r" (?:inter|fastinter|fall) (\S+)", rule)
    noticed = _ms(every) + int(fall) * _ms(look) + (int(fall) - 1) * _ms(again)
    source = tree.ROOT / "clients" / "web" / "src" / "state"
    page = "".join(tree.text(source / f"{name}.ts") for name in ("liveness", "livenessData"))
    waits = re.findall(r"const (?:QUIET_LINE|PATIENCE)_MS = ([0-9_]+);", page)
    assert noticed <= sum(map(int, waits)) == 2_250
    assert USUAL.line + USUAL.line_answer > noticed / 1000


def _ms(text: str) -> int:
    """A time of HAProxy's."""
    return int(text.removesuffix("ms"))


def _plain(value: str) -> str:
    """A value of compose as it is where nothing is set."""
    return re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", value)


def test_systemd_runs_a_command_with_variables_that_the_server_knows() -> None:
    lines = tree.text(tree.ROOT / "deploy" / "bluebear.service").splitlines()
    settings = dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")
    program, term, *rest = settings["ExecStart"].split()
    assert program.endswith("/bluebear")
    assert term in PROGRAMS
    name, _, value = settings["Environment"].partition("=")
    read = read_config(rest, {name: value})
    assert str(read.data) == f"/var/lib/{settings['StateDirectory']}"
    assert float(settings["TimeoutStopSec"]) > read.drain
    assert settings["Restart"] == "always"
    assert settings["RestartPreventExitStatus"] == str(UNUSABLE)


def test_behind_caddy_the_server_is_started_with_what_the_file_says() -> None:
    text = tree.text(tree.ROOT / "deploy" / "Caddyfile")
    arguments = next(line for line in text.splitlines() if "--public-url" in line).split()
    read = read_config(arguments[arguments.index("--public-url") :], {})
    assert f"\n{read.public_url.removeprefix('https://')} {{" in text
    assert RequestPolicy(read, "").is_trusted_proxy("127.0.0.1")
    assert f"reverse_proxy {read.host}:{read.port}" in text
