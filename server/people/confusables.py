"""The skeleton of texts that look alike: by Unicode's confusables (UTS 39, section 4) and more.

`confusables.txt` has Unicode's data: signs, and the sign that they look like. They contain few
signs that differ by a dot or by the length of a stroke; `CONFUSABLE` has those that readers of
Latin and Japanese confuse at the size of names beside a board. Signs that readers distinguish (ソ
and ン, 大 and 太, e and é) are not included.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from importlib import resources
from typing import Final

_KANJI: Final = (
    # One kanji in two forms, as in family names.
    *("高髙", "崎﨑碕", "吉𠮷", "邉邊", "徳德", "戸户戶", "内內", "清淸", "青靑", "説說", "涙淚"),
    *(
        "黒黑",
        "斎齋",
        "斉齊",
        "浜濱",
        "条條",
        "巣巢",
        "歩步",
        "頼賴",
        "横橫",
        "緑綠",
        "黄黃",
        "虚虛",
    ),
    *("閒間", "産產", "彦彥", "温溫", "教敎", "鉄鐵", "絶絕", "瀬瀨", "録錄", "鎌鐮", "曽曾"),
    # A stroke more, longer or closed.
    *("日曰", "未末", "己已巳", "千干于", "人入", "天夭", "壬王", "戊戌戍", "鳥烏", "壁璧", "崇祟"),
    *("侯候", "治冶", "准淮", "微徴徵", "免兔兎", "祇祗", "裸祼", "貧貪", "晴睛", "綱網", "汨汩"),
    *("萩荻", "柿杮", "曳曵", "哀衰", "享亨", "爪瓜", "孤弧狐", "博愽", "刺剌", "幣弊", "遣遺"),
)
"""The signs of a group look like its first sign."""

_KANA: Final = {
    **dict.fromkeys("乂〆乄", "メ"),
    **dict.fromkeys("彐ヨ", "ヨ"),
    **dict.fromkeys("廾艹卄", "サ"),
    "厶": "ム",
    "匕": "ヒ",
    "七": "セ",
    "又": "ヌ",
    "礻": "ネ",
    "三": "ミ",
    "り": "リ",
    "千": "チ",
    "干": "チ",
    "于": "チ",
    "才": "オ",
    "ー": "-",
}
"""Kanji and parts of them that look like kana, and kana that look like each other."""

_LATIN: Final = {
    # Small i and l meet in their capitals: I looks like l.
    "i": "l",
    # Small ð looks like this sign, which no name has; its capital looks like that of đ.
    "∂": "d",
    "w": "vv",
    "þ": "p",
    "ŋ": "n",
    # Strokes through a letter, as in Ø, dots above and whatever hangs below: hard to see in small.
    **dict.fromkeys("\u0335\u0336\u0337\u0338", ""),
    **dict.fromkeys("\u0307\u0323\u0324\u0325\u0326\u0327\u0328\u032d\u032e\u0330\u0331", ""),
    # Seen last between letters, and not at all at the end of a sentence. ・ is the third by then.
    **dict.fromkeys("._\u00b7", ""),
}

CONFUSABLE: Final = str.maketrans(
    {sign: group[0] for group in _KANJI for sign in group[1:]} | _KANA | _LATIN
)
"""From a sign to the sign that readers take it for."""


def skeleton(text: str) -> str:
    """The NFD form that is equal for texts whose letters look alike; case-sensitive."""
    shape = unicodedata.normalize("NFD", text).translate(_PROTOTYPES)
    return unicodedata.normalize("NFD", shape)


def _read() -> Mapping[int, str]:
    table: dict[int, str] = {}
    read = resources.files("bluebear.server.people").joinpath("confusables.txt").read_text("ascii")
    for line in read.splitlines():
        if not line.startswith("#"):
            target, _, sources = line.partition(" < ")
            shape = "".join(chr(int(number, 16)) for number in target.split("+"))
            table.update(dict.fromkeys((int(each, 16) for each in sources.split()), shape))
    return table


_PROTOTYPES: Final = _read()
