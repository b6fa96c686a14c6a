"""Do the six colours of the seats stay apart, for four kinds of vision, in light and in dark?

Distances are CIEDE2000; colour blindness is simulated as Machado, Oliveira and Fernandes (2009)
have it, at full severity. Shapes and letters say the same again; this is about the colours alone.
"""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

TOKENS: Final = Path(__file__).parents[2] / "clients" / "web" / "src" / "style" / "tokens.css"
LEAST: Final = 20.0
"""Two areas that touch are told apart without effort from about ten on."""

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

VISIONS: Final[dict[str, Matrix]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ: Final[Matrix] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Final = (0.95047, 1.0, 1.08883)


def times(matrix: Matrix, vector: Vector) -> Vector:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return (x, y, z)


def linear(colour: str) -> Vector:
    """A hexadecimal colour as linear light."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))

    def straight(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return (straight(red), straight(green), straight(blue))


def seen(colour: str, vision: str) -> Vector:
    """A colour in CIELAB, as a person with this vision sees it."""
    light = tuple(min(1.0, max(0.0, each)) for each in times(VISIONS[vision], linear(colour)))
    x, y, z = times(XYZ, (light[0], light[1], light[2]))

    def bent(value: float) -> float:
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

    fx, fy, fz = (bent(each / white) for each, white in zip((x, y, z), WHITE, strict=True))
    return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


def distance(one: Vector, other: Vector) -> float:
    """CIEDE2000 between two colours in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    middle = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    gain = 0.5 * (1 - math.sqrt(middle**7 / (middle**7 + 25**7)))
    a1, a2 = a1 * (1 + gain), a2 * (1 + gain)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = h2 - h1 if c1 * c2 else 0.0
    turn -= 360 * (turn > 180) - 360 * (turn < -180)
    hue = h1 + h2 if not c1 * c2 else (h1 + h2) / 2
    if c1 * c2 and abs(h1 - h2) > 180:
        hue = (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    cosines = ((0.17, 1, -30), (-0.24, 2, 0), (-0.32, 3, 6), (0.20, 4, -63))
    t = 1 - sum(k * math.cos(math.radians(n * hue + shift)) for k, n, shift in cosines)
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    bend = math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -math.sin(bend) * 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    return math.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)


def seats(theme: str) -> list[str]:
    """The six colours of a theme, as the page's tokens have them."""
    text = TOKENS.read_text(encoding="utf-8")
    pair = r"--p([1-6]):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)"
    matches = {seat: {"light": light, "dark": dark} for seat, light, dark in re.findall(pair, text)}
    assert len(matches) == 6
    return [matches[str(seat)][theme] for seat in range(1, 7)]


def test_the_distance_is_that_of_the_published_examples() -> None:
    # Sharma, Wu and Dalal (2005), pairs 1, 7 and 25.
    assert distance((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert distance((50, 0, 0), (50, -1, 2)) == pytest.approx(2.3669, abs=1e-4)
    near = distance((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387))
    assert near == pytest.approx(1.2644, abs=1e-4)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_two_seats_look_similar(theme: str, vision: str) -> None:
    looks = [seen(colour, vision) for colour in seats(theme)]
    assert min(distance(one, other) for one, other in combinations(looks, 2)) >= LEAST
