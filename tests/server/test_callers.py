"""Who calls: through which proxies, by which name of ours, from which page."""

from __future__ import annotations

import socket

import pytest
from websockets.datastructures import Headers

from bluebear.server.config import Config
from bluebear.server.net.http import RequestPolicy

PROXY = "10.0.0.1"
POLICY = RequestPolicy(
    Config(trusted_proxies=("10.0.0.0/8", "fd00::/8"), allowed_hosts=("play.example",)),
    "https://bear.example",
)


def headers(**given: str) -> Headers:
    return Headers({name.replace("_", "-"): value for name, value in given.items()})


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ({"X_Forwarded_For": "203.0.113.7"}, "203.0.113.7"),
        ({"X_Forwarded_For": "198.51.100.1, 203.0.113.7"}, "203.0.113.7"),
        ({"X_Forwarded_For": "203.0.113.7, 10.2.3.4"}, "203.0.113.7"),
        ({"X_Forwarded_For": "203.0.113.7:4711"}, "203.0.113.7"),
        ({"Forwarded": "for=203.0.113.7;proto=https"}, "203.0.113.7"),
        ({"Forwarded": 'for="[2001:db8::7]:4711", for=10.2.3.4'}, "2001:db8::7"),
        ({"Forwarded": "for=203.0.113.7", "X_Forwarded_For": "203.0.113.7"}, "203.0.113.7"),
        ({"Forwarded": "for=203.0.113.7", "X_Forwarded_For": "198.51.100.1"}, PROXY),
        ({"Forwarded": "by=10.0.0.1", "X_Forwarded_For": "203.0.113.7"}, "203.0.113.7"),
        ({}, PROXY),
        ({"X_Forwarded_For": ""}, PROXY),
        ({"Forwarded": "by=10.0.0.1"}, PROXY),
    ],
)
def test_a_trusted_proxy_says_which_seat_it_speaks_for(given: dict[str, str], address: str) -> None:
    assert POLICY.address(PROXY, headers(**given)) == address


def test_a_proxy_is_trusted_also_where_ipv4_is_received_in_the_clothes_of_ipv6() -> None:
    given = headers(X_Forwarded_For="203.0.113.7")
    assert POLICY.address(f"::ffff:{PROXY}", given) == "203.0.113.7"
    assert POLICY.address("::ffff:192.0.2.1", given) == "::ffff:192.0.2.1"


def test_no_other_person_is_believed() -> None:
    """The first entry is whatever the client wrote; a client itself is no proxy."""
    forged = headers(X_Forwarded_For="198.51.100.1", Forwarded="for=198.51.100.1")
    assert POLICY.address("203.0.113.7", forged) == "203.0.113.7"
    assert RequestPolicy(Config(), "").address("127.0.0.1", forged) == "127.0.0.1"


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("bear.example", True),
        ("BEAR.example:443", True),
        ("play.example", True),
        ("localhost:8765", True),
        (f"{socket.gethostname()}:8765", True),
        (f"{socket.gethostname()}.local", True),
        ("127.0.0.1:8765", True),
        ("[::1]:8765", True),
        ("192.168.1.7:8765", True),
        ("evil.example", False),
        ("bear.example.evil.example", False),
        ("", False),
    ],
)
def test_a_name_that_was_pointed_here_by_a_person_else_is_not_ours(
    host: str,
    is_ours: bool,
) -> None:
    assert POLICY.names_this_server(headers(Host=host)) is is_ours


def test_a_request_without_a_host_or_with_two_is_not_for_us() -> None:
    assert not POLICY.names_this_server(Headers())
    two = Headers()
    two["Host"] = "bear.example"
    two["Host"] = "evil.example"
    assert not POLICY.names_this_server(two)


def test_a_network_that_is_none_is_reported_at_the_start() -> None:
    with pytest.raises(ValueError, match=r"10\.0\.0"):
        RequestPolicy(Config(trusted_proxies=("10.0.0",)), "")
