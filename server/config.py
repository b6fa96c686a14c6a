"""What an operator may set, from the command line and the environment."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bluebear.rules import EVERYWHERE
from bluebear.server.limits import (
    BOT_LINE_BURST,
    BOT_LINES_PER_SECOND,
    CONNECTIONS_MAX,
    CONNECTIONS_PER_ADDRESS,
)

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
    bot_line_burst: int = BOT_LINE_BURST
    bot_lines_per_second: float = BOT_LINES_PER_SECOND
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


def _path(text: str) -> Path | None:
    return Path(text) if text else None


def _address(text: str) -> str:
    """`HOST:PORT`, or nothing. Raises ArgumentTypeError."""
    host, _, port = text.rpartition(":")
    if text and not (host and port.isascii() and port.isdigit() and int(port) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT, such as 127.0.0.1:9464")
    return text


def read_config(argv: Sequence[str], environment: Mapping[str, str]) -> Config:
    """The settings of a command line; what is not given there comes from BLUEBEAR_* variables."""
    default = partial(_variable, environment)
    parser = argparse.ArgumentParser(prog="bluebear serve")
    parser.add_argument("--host", default=default("HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=int(default("PORT", str(DEFAULT_PORT))))
    parser.add_argument("--data", type=Path, default=Path(default("DATA", DEFAULT_DATA)))
    parser.add_argument("--public-url", default=default("PUBLIC_URL", ""))
    parser.add_argument("--origin", action="append", default=[])
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        help="address or network of a proxy that says whom it speaks for",
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        help="a name by which browsers may call this server",
    )
    parser.add_argument(
        "--offer",
        action="append",
        default=[],
        metavar="GAME",
        help="make rooms of these games only",
    )
    parser.add_argument(
        "--pin",
        action="append",
        default=[],
        metavar="[GAME.]OPTION=VALUE",
        help="an option that nobody may change",
    )
    parser.add_argument("--no-house-bots", action="store_true")
    parser.add_argument(
        "--drain",
        type=float,
        default=float(default("DRAIN", str(DRAIN_SECONDS))),
        metavar="SECONDS",
        help="how long people are warned when SIGTERM comes",
    )
    parser.add_argument(
        "--accept-older",
        action="store_true",
        help="go on from a journal that is older than what was last written",
    )
    parser.add_argument(
        "--metrics",
        type=_address,
        default=default("METRICS", ""),
        metavar="HOST:PORT",
        help="where Prometheus reads figures, such as 127.0.0.1:9464; nowhere without it",
    )
    parser.add_argument(
        "--store",
        default=default("STORE", ""),
        metavar="postgresql://...",
        help="the database to keep everything in; without it a file in the data folder",
    )
    parser.add_argument("--bench", action="store_true", help="lift the rates, for measuring")
    parser.add_argument(
        "--notify-host",
        action="append",
        default=[],
        help="a host that people may have notices sent to (/notify)",
    )
    _add_nodes(parser, environment)
    parser.add_argument(
        "--entry-password-file",
        type=Path,
        default=_path(default("ENTRY_PASSWORD_FILE", "")),
        metavar="FILE",
        help="ask newcomers for the password that is the first line of this file",
    )
    parser.add_argument("--of-window", action="store_true", help="told by `bluebear play`")
    given = parser.parse_args(argv)
    games = default("GAMES", ",".join(EVERYWHERE)).split(",")
    bench = 1_000_000 if given.bench else 0
    return Config(
        host=given.host,
        port=given.port,
        data=given.data,
        public_url=given.public_url.rstrip("/"),
        # A page of one node connects to the others.
        origins=(*given.origin, *(f"http{each[2:]}" for each in given.node_origins)),
        trusted_proxies=(*given.trusted_proxy, *_listed(default("TRUSTED_PROXIES", ""))),
        allowed_hosts=(
            *given.allowed_host,
            *_listed(default("ALLOWED_HOSTS", "")),
            *(urlsplit(each).hostname or "" for each in given.node_origins),
        ),
        offered=(*given.offer, *_listed(default("OFFERED", ""))),
        pinned=(*given.pin, *_listed(default("PINNED", ""))),
        bounded=not bench,
        of_window=given.of_window,
        entry_password_file=given.entry_password_file,
        notify_hosts=(*given.notify_host, *_listed(default("NOTIFY_HOSTS", ""))),
        accept_older=given.accept_older,
        drain=0.0 if given.of_window or given.bench else max(0.0, given.drain),
        metrics=given.metrics,
        store=given.store,
        processes=given.processes,
        node=given.node,
        node_url=given.node_url,
        node_origins=given.node_origins,
        sockets=given.sockets,
        games=tuple(games),
        house=not given.no_house_bots,
        bot_line_burst=bench or BOT_LINE_BURST,
        bot_lines_per_second=float(bench) or BOT_LINES_PER_SECOND,
        connections_per_address=bench or CONNECTIONS_PER_ADDRESS,
        connections=bench or CONNECTIONS_MAX,
    )


def _variable(environment: Mapping[str, str], name: str, otherwise: str) -> str:
    return environment.get(f"BLUEBEAR_{name}", otherwise)


def _add_nodes(parser: argparse.ArgumentParser, environment: Mapping[str, str]) -> None:
    """Settings of a server of several nodes."""
    default = partial(_variable, environment)
    parser.add_argument(
        "--processes",
        type=_count,
        default=default("PROCESSES", "1"),
        metavar="N",
        help="as many nodes at one port of this machine, over the database of --store",
    )
    parser.add_argument(
        "--node",
        type=_name,
        default=default("NODE", ""),
        metavar="NAME",
        help="be one of several nodes over the database of --store, under a name of its own",
    )
    parser.add_argument(
        "--node-url",
        default=default("NODE_URL", ""),
        metavar="wss://...",
        help="where clients reach this node; without it at /n/NAME/ws of the address they use",
    )
    parser.add_argument(
        "--node-origins",
        type=_origins,
        default=default("NODE_ORIGINS", ""),
        metavar="wss://...,wss://...",
        help="the origins of all nodes with a --node-url: the page may connect to them",
    )
    parser.add_argument("--sockets", type=Path, help="given by the supervisor of --processes")


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
