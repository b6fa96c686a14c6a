"""Names: what is one, and which two look the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import NAME_MAX_CHARS
from bluebear.server.people.names import clean_name, name_key
from tests.server.make_confusables import FILE, library, prototypes, table


@pytest.mark.parametrize(
    "name",
    [
        # Of katakana that look like kanji, and kanji that look like katakana.
        *(
            "カエロ",
            "ニノ",
            "タロ",
            "ハト",
            "エリ",
            "力二",
            "口夕",
            "八卜",
            "一ノ瀬",
            "工力",
            "ローカ",
        ),
        "Ayu",
        "あゆ",
        "アユ",
        "鮎",
        "Zoë",
        "Ayu2",
        "a_b-c.d",
        "도윤",
        "鮎Ayu",
        "Nguyễn",
        "Łukasz",
        "Ærø",
        "カード",
        "ジョン・スミス",
        "佐々木",
        "いすゞ",
        "らーめん",
        "𠮷野",
    ],
)
def test_these_are_names(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("given_name", "stored"),
    [("Ａｙｕ", "Ayu"), ("  Ayu ", "Ayu"), ("ｱﾕ", "アユ"), ("e\u0301va", "éva"), ("㋐yu", "アyu")],
)
def test_a_name_is_stored_in_its_plain_form(given_name: str, stored: str) -> None:
    assert clean_name(given_name) == stored


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("", id="nothing"),
        pytest.param("   ", id="spaces only"),
        pytest.param("x" * (NAME_MAX_CHARS + 1), id="too long"),
        pytest.param("x" * 1000, id="much too long"),
        pytest.param("\ufdfa", id="long when spelt out"),
        pytest.param("12345", id="no letter"),
        pytest.param("---", id="signs only"),
        pytest.param("Ayu Ben", id="with a space"),
        pytest.param("Ayu\u3000Ben", id="with a wide space"),
        pytest.param("@greedy", id="like a house bot"),
        pytest.param("bot:greedy", id="like a bot in a record"),
        pytest.param("Ayu;Ben", id="with a semicolon"),
        pytest.param("Ayu\u200b", id="zero-width space"),
        pytest.param("A\u200dyu", id="zero-width joiner"),
        pytest.param("\ufeffAyu", id="byte order mark"),
        pytest.param("Ayu\u00ad", id="soft hyphen"),
        pytest.param("\u202eAyu", id="written backwards"),
        pytest.param("\u2066Ayu", id="isolated"),
        pytest.param("Ayu\ufe0f", id="variation selector"),
        pytest.param("鮎\U000e0101", id="variation of an ideograph"),
        pytest.param("Ayu\u034f", id="grapheme joiner"),
        pytest.param("\u3164Ayu", id="unseen Korean letter"),
        pytest.param("\u115f\u1160", id="unseen letters only"),
        pytest.param("Ay\nu", id="line feed"),
        pytest.param("Ay\x1b[2Ju", id="escape sequence"),
        pytest.param("Ay\x00u", id="nil"),
        pytest.param("a\u0300\u0301\u0302\u0303", id="flood of marks"),
        pytest.param("\u0301Ayu", id="mark on nothing"),
        pytest.param("Аyu", id="a Cyrillic letter among Latin ones"),
        pytest.param("Αyu", id="a Greek letter among Latin ones"),
        pytest.param("Ꭺyu", id="a Cherokee letter among Latin ones"),
    ],
)
def test_these_are_no_names(name: str) -> None:
    with pytest.raises(NotAllowed, match="name_bad"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    ["server", "SERVER", "Ｓｅｒｖｅｒ", "host", "me", "Everyone", "システム", "adm1n", "c1ock"],
)
def test_terms_that_the_server_needs_are_no_names(name: str) -> None:
    with pytest.raises(NotAllowed, match="name_bad"):
        clean_name(name)


LOOK_ALIKES = (
    # Ayu with invisible characters.
    *("Ayu\u200b", "Ay\u200cu", "A\u200dyu", "Ayu\u2060", "Ayu\ufeff", "Ayu\u00ad", "Ayu\u034f"),
    *(
        "Ayu\ufe0e",
        "Ayu\u180b",
        "Ayu\u3164",
        "Ayu\u115f",
        "Ayu\u17b4",
        "Ayu\U000e0041",
        "Ayu\u2061",
    ),
    # Ayu in letters of others.
    *("Ауu", "Αyu", "Ꭺyu", "ꓮyu", "Ⲁyu", "𐊠yu", "Аyu", "Ayս", "Aүu", "Aꭚu"),
    # Small capitals, letters of phoneticians, and other shapes.
    *("ᴀyu", "Ayᴜ", "Aʏu", "ɑyu", "Ⱥyu", "Ayꞟ"),
    # Words that the server needs.
    *(
        "ѕerver",
        "ѕystem",
        "ꜱerver",
        "0perator",
        "adrnin",
        "H-O-S-T",
        "server.",
        "_root_",
        "ｈｏｓｔ",
    ),
)
"""39 and more names that impostors tried; each imitates another person or the server."""


@pytest.mark.parametrize("name", LOOK_ALIKES, ids=ascii)
def test_no_person_looks_like_a_person_else(name: str) -> None:
    """It is no name, or the same one."""
    try:
        stored = clean_name(name)
    except NotAllowed:
        return
    assert name_key(stored) == name_key("Ayu")


def test_the_look_alikes_are_as_many_as_were_attempted() -> None:
    assert len(set(LOOK_ALIKES)) >= 39


KANA = (
    "カ力",
    "ロ口",
    "ニ二",
    "エ工",
    "ト卜",
    "タ夕",
    "ハ八",
    "ヘへ",
    "イ亻",
    "ノ丿",
    "オ才",
    "チ千",
    "リり",
    "ベべ",
    "ペぺ",
    *(
        "ム厶",
        "ヒ匕",
        "セ七",
        "ヌ又",
        "メ乂",
        "メ〆",
        "ネ礻",
        "サ廾",
        "ミ三",
        "ヨ彐",
        "チ干",
        "チ于",
    ),
)
"""Katakana and what looks like them: kanji, parts of kanji, hiragana."""

KANJI = (
    *(
        "高髙",
        "崎﨑",
        "吉𠮷",
        "邉邊",
        "徳德",
        "戸户",
        "内內",
        "清淸",
        "青靑",
        "説說",
        "涙淚",
        "黒黑",
        "間閒",
    ),
    *(
        "日曰",
        "未末",
        "己已",
        "己巳",
        "千干",
        "人入",
        "天夭",
        "戊戌",
        "戌戍",
        "鳥烏",
        "壁璧",
        "崇祟",
    ),
    *(
        "侯候",
        "治冶",
        "准淮",
        "微徴",
        "免兎",
        "祇祗",
        "裸祼",
        "貧貪",
        "晴睛",
        "萩荻",
        "柿杮",
        "刺剌",
    ),
)
"""Two forms of one kanji, and kanji that differ by a stroke."""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Ayu", "AYU", id="case"),
        pytest.param("Ayu", "Ａｙｕ", id="full width"),
        pytest.param("アユ", "ｱﾕ", id="half width"),
        pytest.param("Straße", "STRASSE", id="sharp s"),
        pytest.param("Bob", "B0b", id="zero for o"),
        pytest.param("Lil", "LiI", id="capital i for l"),
        pytest.param("Bill", "Bi11", id="ones for l"),
        pytest.param("Мах", "Max", id="Cyrillic"),
        pytest.param("ΗΑΝΑ", "HANA", id="Greek capitals"),
        pytest.param("エロ", "工口", id="ideographs like kana"),
        pytest.param("へい", "ヘい", id="hiragana like katakana"),
        pytest.param("カード", "カ一ド", id="a stroke for a long vowel"),
        pytest.param("é", "e\u0301", id="composed and not"),
        pytest.param("Amy", "Arny", id="two letters for one"),
        pytest.param("Wim", "VVIM", id="two letters for one, and case"),
        pytest.param("Ðan", "đan", id="alike in capitals only"),
        pytest.param("Bjørn", "Bjorn", id="a stroke through a letter"),
        pytest.param("Maǎ", "Maă", id="a mark like another"),
        pytest.param("土田", "士田", id="ideographs alike"),
        pytest.param("晩", "晚", id="two forms of an ideograph"),
        pytest.param("Ken", "Ken.", id="a dot at the end"),
        pytest.param("Ken", "_Ken", id="a line before it"),
        pytest.param("ジョン・スミス", "ジョンスミス", id="a dot between words"),
        pytest.param("Ken", "Kẹn", id="a dot below"),
        pytest.param("Ian", "İan", id="a dot above"),
        pytest.param("Celine", "Çeline", id="a hook below"),
        pytest.param("pan", "þan", id="thorn"),
        pytest.param("Nan", "Ŋan", id="eng"),
        *(pytest.param(group[0], other, id=ascii(other)) for group in KANJI for other in group[1:]),
        *(pytest.param(*pair, id=ascii(pair)) for pair in KANA),
    ],
)
def test_these_look_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ayu", "Ayo"), ("Ben", "Ken"), ("Eva", "Éva"), ("José", "Josè")),
        *(
            ("はな", "ハナ"),
            ("ソン", "ンソ"),
            ("シ", "ツ"),
            ("ナ", "メ"),
            ("木村", "本村"),
            ("太田", "大田"),
        ),
        *(("カナ", "ガナ"), ("ハナ", "パナ"), ("やま", "ゃま"), ("도윤", "도운")),
    ],
)
def test_these_look_different(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


SAMPLE = ("Ayu", "Emi", "Willa", "Nguyễn", "Łukasz", "カエロ", "ローカ", "一ノ瀬", "二力", "へいた")


def test_whatever_unicode_takes_for_a_letter_of_a_name_is_no_name_or_the_same_one() -> None:
    """Each sign of names of Latin letters and kana is replaced by each that looks like it."""
    attempts = stored = 0
    groups = [{target, *sources} for target, sources in prototypes(library()).items()]
    for name in SAMPLE:
        for index, sign in enumerate(name):
            for like in set[str]().union(*(each for each in groups if sign in each)):
                attempts += 1
                other = name[:index] + like + name[index + 1 :]
                # What NFKC makes another sign of is shown as that one, and judged by that.
                if is_name(other):
                    stored += 1
                    assert name_key(other) == name_key(name), (name, other)
    assert attempts > 500, "the data are there"
    assert stored > 10, "some look-alikes are letters of the same scripts"


def test_what_look_similar_is_stored_as_the_library_has_it() -> None:
    assert FILE.read_text(encoding="utf-8") == table(), "python -m tests.server.make_confusables"


def test_every_letter_has_one_key_in_both_cases() -> None:
    """A name in capitals is the same name, so letters may not part there."""
    for number in range(0x250):
        sign = chr(number)
        if is_name(sign):
            assert name_key(sign) == name_key(sign.lower()) == name_key(sign.upper()), sign


def is_name(text: str) -> bool:
    try:
        return clean_name(text) == text
    except NotAllowed:
        return False


@given(st.text(max_size=40))
def test_whatever_is_stored_stays_as_it_is(text: str) -> None:
    try:
        name = clean_name(text)
    except NotAllowed:
        return
    assert clean_name(name) == name
    assert name_key(name_key(name)) == name_key(name)
    assert name.isprintable()
