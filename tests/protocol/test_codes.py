"""The stable codes."""

from bluebear.protocol.codes import Close, Code


def test_a_code_is_its_text_and_knows_its_meaning() -> None:
    assert (Code.STALE, Code.STALE.meaning[-1]) == ("stale", ".")


def test_every_code_is_its_name_in_lower_case() -> None:
    assert [code.value for code in Code] == [code.name.lower() for code in Code]


def test_no_two_codes_mean_the_same() -> None:
    meanings = [entry.meaning for entry in (*Code, *Close)]
    assert len(meanings) == len(set(meanings))


def test_close_codes_are_those_of_websocket_or_our() -> None:
    assert [int(close) for close in Close] == [1007, 1008, 1009, 4001, 4002, 4003, 4008]
