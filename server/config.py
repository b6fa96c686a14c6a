"""What an operator may set, from the command line and the environment."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from bluebear.rules import EVERYWHERE
from bluebear.server.limits import CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS

DEFAULT_PORT: Final = 8765
DEFAULT_DATA: Final = "var"
PROCESSES_MAX: Final = 64
"""Nodes of one machine: more than it has processors are of no use."""
_ORIGIN: Final = re.compile(r"wss?://[A-Za-z0-9.-]+(:[0-9]+)?")
DRAIN_SECONDS: Final = 5.0
"""Between SIGTERM and the stop: a player can end a move, and read why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """One server's settings; the defaults play at home."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    data: Path = Path(DEFAULT_DATA)
    public_url: str = ""
    origins: tuple[str, ...] = ()
    games: tuple[str, ...] = EVERYWHERE
    house: bool = True
    connections_per_address: int = CONNECTIONS_PER_ADDRESS
    connections: int = CONNECTIONS_MAX
    trusted_proxies: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    bounded: bool = True
    notify_hosts: tuple[str, ...] = ()
    """Where notices of turns may be sent: hosts, or origins with scheme and port."""
    entry_password_file: Path | None = None
    """Where the password stands that newcomers are asked for; None: they are not."""
    of_window: bool = False
    """Whether a person's terminal runs the server, which ends with it."""
    accept_older: bool = False
    drain: float = DRAIN_SECONDS
    metrics: str = ""
    store: str = ""
    """The URL of a PostgreSQL database; empty: a file in `data`."""
    processes: int = 1
    """Nodes of this machine, all at one port."""
    node: str = ""
    """The name of a node among several; empty: this process is alone."""
    node_url: str = ""
    """Where clients reach this node; empty: at `/n/NAME/ws` of the address that they use."""
    node_origins: tuple[str, ...] = ()
    """Origins of nodes that are reached under names of their own, `wss://HOST[:PORT]`."""
    sockets: Path | None = None
    """The folder by which nodes of one port hand connections over; None: the port is this node's
    own.
    """


@cache
def program_version() -> str:
    """The version of this program, as it was installed."""
    try:
        return metadata.version("bluebear")
    except metadata.PackageNotFoundError:
        return "0"


def _listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _address(text: str) -> str:
    """`HOST:PORT`, or nothing. Raises ArgumentTypeError."""
    host, _, port = text.rpartition(":")
    if text and not (host and port.isascii() and port.isdigit() and int(port) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT, such as 127.0.0.1:9464")
    return text


def read_config(argv: Sequence[str], environment: Mapping[str, str]) -> Config:
    """The settings of a command line; what is not given there comes from BLUEBEAR_* variables."""
    given = vars(_parser(environment).parse_args(argv))
    bench, warned, is_house = given.pop("bench"), max(0.0, given.pop("drain")), given.pop("house")
    origins, limit = given["node_origins"], 1_000_000 if bench else 0
    # A page of one node connects to the others.
    given["origins"] = (*given["origins"], *(f"http{each[2:]}" for each in origins))
    for name in ("trusted_proxies", "allowed_hosts", "offered", "pinned", "notify_hosts"):
        more = _listed(environment.get(f"BLUEBEAR_{name.upper()}", ""))
        given[name] = (*given[name], *more)
    given["allowed_hosts"] += tuple(urlsplit(each).hostname or "" for each in origins)
    return Config(
        **given,
        games=tuple(environment.get("BLUEBEAR_GAMES", ",".join(EVERYWHERE)).split(",")),
        house=is_house,
        bounded=not bench,
        drain=0.0 if given["of_window"] or bench else warned,
        connections_per_address=limit or CONNECTIONS_PER_ADDRESS,
        connections=limit or CONNECTIONS_MAX,
    )


_HELP: Final = {
    "trusted-proxy": "address or network of a proxy that says whom it speaks for",
    "allowed-host": "a name by which browsers may call this server",
    "offer": "make rooms of these games only",
    "pin": "an option that nobody may change",
    "drain": "how long people are warned when SIGTERM comes",
    "accept-older": "go on from a journal that is older than what was last written",
    "metrics": "where Prometheus reads figures, such as 127.0.0.1:9464; nowhere without it",
    "store": "the database to keep everything in; without it a file in the data folder",
    "bench": "lift the rates, for measuring",
    "notify-host": "a host that people may have notices sent to (/notify)",
    "processes": "as many nodes at one port of this machine, over the database of --store",
    "node": "be one of several nodes over the database of --store, under a name of its own",
    "node-url": "where clients reach this node; without it at /n/NAME/ws of the address they use",
    "node-origins": "the origins of all nodes with a --node-url: the page may connect to them",
    "sockets": "given by the supervisor of --processes",
    "entry-password-file": "ask newcomers for the password that is the first line of this file",
    "of-window": "told by `bluebear play`",
}


def _parser(environment: Mapping[str, str]) -> argparse.ArgumentParser:
    """Each setting under the name that its field has."""
    parser = argparse.ArgumentParser(prog="bluebear serve")

    def add(flag: str, **how: Any) -> None:  # Any: as argparse has it
        parser.add_argument(f"--{flag}", help=_HELP.get(flag), **how)

    def one(flag: str, usual: str = "", **how: Any) -> None:  # Any: as above
        name = flag.upper().replace("-", "_")
        add(flag, default=environment.get(f"BLUEBEAR_{name}", usual), **how)

    def several(flag: str, field: str, shown: str = "") -> None:
        shown = shown or flag.upper().replace("-", "_")
        add(flag, dest=field, action="append", default=[], metavar=shown)

    one("host", "127.0.0.1")
    one("port", str(DEFAULT_PORT), type=int)
    one("data", DEFAULT_DATA, type=Path)
    one("public-url", type=lambda text: text.rstrip("/"))
    several("origin", "origins")
    several("trusted-proxy", "trusted_proxies")
    several("allowed-host", "allowed_hosts")
    several("offer", "offered", "GAME")
    several("pin", "pinned", "[GAME.]OPTION=VALUE")
    add("no-house-bots", dest="house", action="store_false")
    one("drain", str(DRAIN_SECONDS), type=float, metavar="SECONDS")
    add("accept-older", action="store_true")
    one("metrics", type=_address, metavar="HOST:PORT")
    one("store", metavar="postgresql://...")
    add("bench", action="store_true")
    several("notify-host", "notify_hosts")
    one("processes", "1", type=_count, metavar="N")
    one("node", type=_name, metavar="NAME")
    one("node-url", metavar="wss://...")
    one("node-origins", type=_origins, metavar="wss://...,wss://...")
    add("sockets", type=Path)
    file = environment.get("BLUEBEAR_ENTRY_PASSWORD_FILE") or None
    # Not "" from the command line: a server that was to have a password does not start without.
    add("entry-password-file", type=Path, default=file, metavar="FILE")
    add("of-window", action="store_true")
    return parser


def _origins(text: str) -> tuple[str, ...]:
    """Origins of WebSockets, by commas. Raises ArgumentTypeError."""
    origins = tuple(_listed(text))
    if wrong := [each for each in origins if _ORIGIN.fullmatch(each) is None]:
        raise argparse.ArgumentTypeError(f"{wrong[0]!r} is no origin such as wss://a.example.org")
    return origins


def _count(text: str) -> int:
    """A number of processes. Raises ArgumentTypeError."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= PROCESSES_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {PROCESSES_MAX}")
    return number


def _name(text: str) -> str:
    """The name of a node, or nothing. Raises ArgumentTypeError."""
    if text and not re.fullmatch(r"[a-z0-9-]{1,32}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no name: a-z, 0-9 and -, 32 at most")
    return text
