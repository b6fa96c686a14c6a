"""What an operator may set, from the command line and the environment."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final, NoReturn
from urllib.parse import parse_qsl, urlsplit

from bluebear.rules import EVERYWHERE, packages_of
from bluebear.server.limits import CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS
from bluebear.server.sentences import SERVER, UNUSABLE, lang_of, say

DEFAULT_PORT: Final = 8765
DEFAULT_DATA: Final = "var"
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
    return metadata.version("bluebear")


class Parser(argparse.ArgumentParser):
    """Reads the words of a command; it helps and complains in the language of the environment.

    What an argument means is the phrase `help.COMMAND_ARGUMENT`, or `help.ARGUMENT`.
    """

    def __init__(self, command: str, environment: Mapping[str, str]) -> None:
        super().__init__(prog=f"bluebear {command}", add_help=False, allow_abbrev=False)
        self._command, self._environment = command, environment
        self._lang = lang_of(environment)
        self._listed = self.add_argument_group(say("help.arguments", self._lang))
        self.add("-h", "--help", action="help")

    def add(self, *names: str, **how: Any) -> None:  # Any: as argparse has it
        """An argument."""
        if "help" not in how:
            name = names[-1].lstrip("-")
            key = f"help.{self._command}_{name}"
            how["help"] = say(key if key in SERVER else f"help.{name}", self._lang)
        self._listed.add_argument(*names, **how)

    def setting(self, name: str, usual: str = "", **how: Any) -> None:  # Any: as above
        """An option that is a variable as well; an empty one is as good as none."""
        variable = f"BLUEBEAR_{name.upper().replace('-', '_')}"
        self.add(f"--{name}", default=self._environment.get(variable, "") or usual, **how)

    def store(self) -> None:
        """The option of a database."""
        self.setting("store", metavar="postgresql://...", type=self.address())

    def address(self, like: str = "", pattern: str = "") -> Any:  # Any: as argparse has it
        """The `type` of the address of a database, or of what has another `pattern`. A wrong one
        may have a password anywhere, so it is not shown.
        """
        like = f"{like}postgresql://USER@HOST/DATABASE"
        return self.form(like, pattern + _DATABASE, self._with_files, shown="...")

    def _with_files(self, address: str) -> str:
        """An address whose certificates are there: its driver does not name one that is not."""
        for name, path in parse_qsl(urlsplit(address).query):
            if name in _FILES and not Path(path).is_file():
                sentence = say("help.no_file", self._lang, name=name, path=path)
                raise argparse.ArgumentTypeError(sentence)
        return address

    def form(  # Any: as argparse has it
        self, like: str, pattern: str, read: Any = str, shown: str = ""
    ) -> Any:
        """The `type` that reads what has a pattern; for all else a sentence has an example, and
        what is `shown` instead of it.
        """

        def checked(text: str) -> Any:  # Any: what `read` makes of it
            with suppress(ValueError):
                if re.fullmatch(pattern, text):
                    return read(text)
            sentence = say("help.form", self._lang, given=shown or text, like=like)
            raise argparse.ArgumentTypeError(sentence)

        return checked

    def format_help(self) -> str:
        """The help, whose first word argparse has in English only."""
        return super().format_help().replace("usage:", say("help.usage", self._lang), 1)

    def error(self, message: str) -> NoReturn:
        """Exit with what is wrong, and where the help is. What is typed without its option may be
        the address of a database, so it is not shown.
        """
        if message.startswith("unrecognized") and re.search(r"@|//|password=", message):
            has_store = self.get_default("store") is not None
            message = say("help.stray_store" if has_store else "help.stray", self._lang)
        for key, pattern in _PROBLEMS.items():
            message = re.sub(pattern, say(key, self._lang, given=r"\1"), message)
        sentence = say("help.wrong", self._lang, command=self.prog, problem=message)
        self.exit(UNUSABLE, f"{sentence}\n")


_PROBLEMS: Final = {
    "help.needs_value": "^argument (.+): expected one argument$",
    "help.has_no_value": "^argument (.+): ignored explicit argument .*",
    "help.argument": "^argument ([^:]+): ",
    "help.stray_words": "^unrecognized arguments: (.*)",
    "help.missing": "^the following arguments are required: (.*)",
}
"""What argparse says in English only, and the phrases of it."""
_PORT: Final = r"(6553[0-5]|655[0-2]\d|65[0-4]\d{2}|6[0-4]\d{3}|[1-5]\d{4}|\d{1,4})"
_HOST: Final = r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])"
_ORIGIN: Final = rf"{_HOST}(:{_PORT})?"
_DATABASE_HOST: Final = rf"([^\s/?#@:,\[\]]*|\[[0-9A-Fa-f:.]+\])(:{_PORT})?"
_DATABASE: Final = (
    rf"|postgres(ql)?://([^/?#@\[\]]*@)?{_DATABASE_HOST}(,{_DATABASE_HOST})*(/[^?#@]*)?(\?[^#]*)?"
)
"""Its driver reads the port behind a password's / or #, and the host behind its first @: these are
written as %2F, %23 and %40.
"""
_FILES: Final = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
_SEVERAL: Final = {
    "origin": "origins",
    "trusted-proxy": "trusted_proxies",
    "allowed-host": "allowed_hosts",
    "offer": "offered",
    "pin": "pinned",
    "notify-host": "notify_hosts",
}
"""Options that may be given several times, and their fields, which are variables as well."""


def read_config(argv: Sequence[str], environment: Mapping[str, str]) -> Config:
    """The settings of a command line; what is not given there comes from BLUEBEAR_* variables."""
    arguments = [*argv]
    for flag, field in _SEVERAL.items():
        listed = _listed(environment.get(f"BLUEBEAR_{field.upper()}", ""))
        arguments += [f"--{flag}={each}" for each in listed]
    given = vars(_parser(environment).parse_args(arguments))
    given |= {field: tuple(given[field]) for field in _SEVERAL.values()}
    bench, warned = given.pop("bench"), given.pop("drain")
    origins, limit = given["node_origins"], 1_000_000 if bench else 0
    # A page of one node connects to the others.
    given["origins"] += tuple(f"http{each[2:]}" for each in origins)
    given["allowed_hosts"] += tuple(urlsplit(each).hostname or "" for each in origins)
    return Config(
        **given,
        games=packages_of(environment),
        bounded=not bench,
        drain=0.0 if given["of_window"] or bench else warned,
        connections_per_address=limit or CONNECTIONS_PER_ADDRESS,
        connections=limit or CONNECTIONS_MAX,
    )


def _parser(environment: Mapping[str, str]) -> Parser:
    """Each setting under the name that its field has."""
    parser = Parser("serve", environment)
    setting, form = parser.setting, parser.form

    def several(flag: str, shown: str, read: Any = str) -> None:  # Any: as argparse has it
        how = {"dest": _SEVERAL[flag], "action": "append", "default": []}
        parser.add(f"--{flag}", metavar=shown, type=read, **how)

    setting("host", "127.0.0.1", type=form("127.0.0.1", r"[A-Za-z0-9._:%-]+"))
    setting("port", str(DEFAULT_PORT), type=form("8765 (0-65535)", _PORT, int))
    setting("data", DEFAULT_DATA, type=Path)
    url = rf"|https?://{_ORIGIN}(/\S*)?"
    read_url = form("https://play.example.org", url, lambda text: text.rstrip("/"))
    setting("public-url", type=read_url)
    origin = form("https://example.org", rf"(?i)[a-z][a-z0-9+.-]*://{_ORIGIN}", str.lower)
    several("origin", "ORIGIN", origin)
    network = form("10.0.0.5, 10.0.0.0/8", r"\S+", lambda text: str(ip_network(text, strict=False)))
    several("trusted-proxy", "TRUSTED_PROXY", network)
    several("allowed-host", "ALLOWED_HOST", form("play.example.org", _HOST))
    several("offer", "GAME")
    several("pin", "[GAME.]OPTION=VALUE")
    parser.add("--no-house-bots", dest="house", action="store_false")
    drain = form("5", r"\d+(\.\d*)?", float)
    setting("drain", str(DRAIN_SECONDS), type=drain, metavar="SECONDS")
    parser.add("--accept-older", action="store_true")
    address = form("HOST:PORT (127.0.0.1:9464)", rf"|\S+:{_PORT}")
    setting("metrics", type=address, metavar="HOST:PORT")
    parser.store()
    parser.add("--bench", action="store_true")
    several("notify-host", "NOTIFY_HOST", form("hooks.example.org", rf"(https?://)?{_ORIGIN}/?"))
    # More nodes than a machine has processors are of no use.
    count = form("2 (1-64)", r"[1-9]|[1-5]\d|6[0-4]", int)
    setting("processes", "1", type=count, metavar="N")
    setting("node", type=form("node-1 (a-z, 0-9, -)", r"[a-z0-9-]{0,32}"), metavar="NAME")
    setting("node-url", metavar="wss://...")
    origins = form("wss://a.example.org", rf"( *wss?://{_ORIGIN} *(,|$))*", _listed)
    setting("node-origins", type=origins, metavar="wss://...,wss://...")
    parser.add("--sockets", type=Path, help=argparse.SUPPRESS)
    file = environment.get("BLUEBEAR_ENTRY_PASSWORD_FILE") or None
    # Not "" from the command line: a server that was to have a password does not start without.
    parser.add("--entry-password-file", type=Path, default=file, metavar="FILE")
    parser.add("--of-window", action="store_true", help=argparse.SUPPRESS)
    return parser


def shown_store(address: str) -> str:
    """A data folder, or a database's URL without what may be a password."""
    scheme, separator, rest = address.partition("//")
    host, _, query = rest.partition("?")
    shown = "" if "@" in query else host.rpartition("@")[2]
    return f"{scheme}//{shown}" if separator else address


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())
