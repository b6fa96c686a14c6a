"""Ratings: `/stats`, `/top`, and what a rated game changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Lexicon, fold
from bluebear.rules.core.text_layout import aligned, columns, flowed
from bluebear.server.commands.acts import RecordSection, Tell, Write
from bluebear.server.commands.arguments import game_choices
from bluebear.server.commands.command import Arguments, Command, Topic, anywhere
from bluebear.server.commands.scene import ONLINE, Scene
from bluebear.server.features.feature import Context, Feature
from bluebear.server.features.ratings.model import (
    LISTED_GAMES,
    RecentGame,
    rated_facts,
    rating_of,
    rows_after,
)
from bluebear.server.features.ratings.queries import Ranking, read_ranking, rows_before
from bluebear.server.limits import RATINGS_OF_ONE, TOP_PAGES, TOP_SHORT, TOP_SIZE
from bluebear.server.room.fold_context import Games
from bluebear.server.room.options import day_of, seat_numbers
from bluebear.server.room.rated_games import PEOPLE_LEAST, RatedGame, finished_game
from bluebear.server.room.state import Room
from bluebear.server.room.system_acts import Rated
from bluebear.server.sentences import say
from bluebear.server.store import Ranked, RatingRow, ratings

_SURENESS: Final = ("answer.very_unsure", "answer.unsure", "answer.fairly_sure", "answer.sure")
_RECENT_SHOWN: Final = 5
_PLAYED_SHOWN: Final = 20
_INDENT: Final = 4
_NAME: Final = "answer.column_name"
_GAME_PLAYED: Final = "answer.column_game"
_RATED: Final = ("answer.column_points", "answer.column_margin", "answer.column_games")
_TOP: Final = ("", _NAME, *_RATED)
_STATS: Final = (
    *(_GAME_PLAYED, "answer.column_seats", *_RATED),
    *("answer.column_places", "answer.column_left"),
)
"""The heads of the columns of tables."""
_TEXTS: Final = frozenset((_NAME, _GAME_PLAYED))
"""Columns of text; the others are of numbers."""

Cells = tuple[str, ...]


class PlayedGame(RecentGame, frozen=True, array_like=False):
    """A finished game of a person; rank 0: they left it."""

    game: str
    seats: int


class Points(Struct, frozen=True):
    """A rating, and by how much its points may be off; strength and uncertainty in millionths."""

    points: int
    margin: int
    mu_millionths: int
    sigma_millionths: int
    games: int


class RatedIn(Struct, frozen=True):
    """A rating in a game with a number of seats: how often the person came 1st, 2nd, ..., and left;
    the newest games first.
    """

    game: str
    seats: int
    rating: Points
    ranks: tuple[int, ...]
    left: int
    recent: tuple[PlayedGame, ...]


class Stats(Struct, frozen=True):
    """The ratings of a person, and the newest games, also unrated ones, where they are theirs."""

    name: str
    ratings: tuple[RatedIn, ...]
    played: tuple[PlayedGame, ...]


class RankedPerson(Struct, frozen=True):
    """A row of a ranking."""

    rank: int
    name: str
    rating: Points


class RankedWith(Struct, frozen=True):
    """A ranking with a number of seats, and the caller's rating, if there is one."""

    seats: int
    rows: tuple[RankedPerson, ...]
    caller: Points | UnsetType = UNSET


class Top(Struct, frozen=True):
    """The rankings of a game."""

    game: str
    lists: tuple[RankedWith, ...]


def _ranking(scene: Scene, given: Arguments) -> Arguments:
    """By default the room's game and number of seats. Raises NotUnderstood (bad_word)."""
    room = scene.room
    key = given.get("game") or ("" if room is None else room.table.game)
    if not key:
        return {}
    info = scene.games[key].info
    all_seats = range(max(PEOPLE_LEAST, info.seats.min), info.seats.max + 1)
    here = 0 if room is None or key != room.table.game else len(room.seats)
    seats = given.get("seats") or (here if here in all_seats else 0)
    if seats and seats not in all_seats:
        numbers = seat_numbers(all_seats[0], all_seats[-1])
        raise NotUnderstood("bad_word", argument="seats", given=str(seats), candidates=(numbers,))
    page = min(given.get("page", 1), TOP_PAGES) - 1
    if seats:
        rows = range(page * TOP_SIZE, (page + 1) * TOP_SIZE)
        return {"game": key, "seats": (seats,), "rows": rows}
    return {"game": key, "seats": tuple(all_seats), "rows": range(TOP_SHORT)}


class Ratings(Feature):
    """How well people play; see docs/reliability.md, A7, for what is promised of it."""

    name = "ratings"
    answers: ClassVar = {"stats": Stats, "top": Top}
    topic = Topic.PEOPLE

    @Command("stats name? game?", anywhere(), names=("戦績", "成績"), offers=ONLINE, is_query=True)
    async def stats(self, ctx: Context, name: str = "", game: str = "") -> Tell:
        """`/stats`: the ratings of a person, their ranks and last games; "" is the caller, and all
        games.

        Unrated games are shown to their players alone: no other person was asked about them.
        """
        games, lang = self.services.games, ctx.lang
        if not game and (exact := Lexicon(game_choices(games)).exact(fold(name))):
            name, game = "", exact  # a single word that names a game is that
        person, shown = ctx.connection.person, ctx.connection.name
        if name:
            person, shown = await self.services.look_ups.find_person(name, registered=True)
        rows = await self.services.store.read(ratings.read_of, person, RATINGS_OF_ONE)
        rows = [row for row in rows if game in ("", row.game)]
        owned = person == ctx.connection.person
        played = [each for row in rows for each in _played(row) if each.rated or owned]
        played.sort(key=lambda each: (-each.at, each.game_id))
        rows = [row for row in rows if rating_of(row).games or rating_of(row).left]
        texts = _Texts(games, ctx)
        lines = [say("answer.stats_of" if rows else "answer.no_stats", lang, name=shown)]
        flowing = (line for row in rows for line in flowed(texts.stats(row), ctx.width, _INDENT))
        if rows:
            lines += texts.table([texts.stats_cells(row) for row in rows], _STATS) or flowing
        if played:
            lines.append(say("answer.last_games", lang))
        lines += map(texts.played, played[:_RECENT_SHOWN])
        ratings_of = tuple(_rated_in(row, None if game else _RECENT_SHOWN) for row in rows)
        data = Stats(shown, ratings_of, tuple(played[:_PLAYED_SHOWN]))
        return Tell("stats", "\n".join(lines), lambda: data)

    @Command(
        "top game? seats:number? page?",
        anywhere(),
        _ranking,
        ("順位表", "ランキング"),
        is_query=True,
    )
    async def top(
        self, ctx: Context, game: str = "", seats: Sequence[int] = (), rows: range = range(0)
    ) -> Tell:
        """`/top`: these rows, from 0, of the rankings of a game by numbers of seats.

        Without a game the games are listed.
        """
        games = self.services.games
        if not game:
            lines = tuple(f"/top {key}" for key in games)
            return Tell("top", say("answer.top_of", ctx.lang, lines=lines))
        store = self.services.store
        stored = await store.read(ratings.read_of, ctx.connection.person, RATINGS_OF_ONE)
        caller = {row.seats: row for row in stored if row.game == game}
        rankings = [
            await read_ranking(store, game, each, rows, caller.get(each), counts=len(seats) == 1)
            for each in seats
        ]
        texts = _Texts(games, ctx)
        shown = [each for each in rankings if each.rows or each.caller or len(rankings) == 1]
        listed = [line for each in shown for line in texts.ranking(game, each)]
        data = Top(game, tuple(map(_ranked_with, rankings)))
        return Tell("top", "\n".join(listed or [texts.empty()]), lambda: data)

    async def record_section(self, room: Room, at: int) -> RecordSection | None:
        """The rows that a game changes, as the changes that follow the stored ones.

        Where another game was stored first they are computed again. So a game counts once, and none
        is lost, whatever process ends when.
        """
        game = finished_game(room, at)
        if game is None:
            return None
        rows = rows_after(game, await rows_before(self.services.store, game))
        return RecordSection(rated_facts(game, rows), rows, lambda: self._announcement(game))

    async def _announcement(self, game: RatedGame) -> Write | None:
        """The entry that shows the room how its game changed the ratings."""
        if not (game.rated and game.places):
            return None
        stored = await rows_before(self.services.store, game)
        changes: list[list[int | str]] = [
            [seat, name, recent.points, recent.change]
            for seat, (name, person) in enumerate(zip(game.names, game.players, strict=True), 1)
            for recent in rating_of(stored.get(person)).recent
            if recent.game_id == game.id
        ]
        if len(changes) != len(game.players):
            return None
        return Write.of(Rated(game.id), {"ratings": changes})


class _Texts:
    """Makes the sentences and tables of one reply."""

    def __init__(self, games: Games, ctx: Context) -> None:
        self._games = games
        self._lang = ctx.lang
        self._linear = "linear" in ctx.connection.wants
        self._width = ctx.width

    def _game_name(self, key: str) -> str:
        game = self._games.get(key)
        return key if game is None else game.info.name(self._lang)

    def empty(self) -> str:
        """Says that no person is listed."""
        return say("answer.top_nobody", self._lang, least=LISTED_GAMES)

    def stats(self, row: RatingRow) -> str:
        """A rating as a sentence."""
        lang, now = self._lang, rating_of(row)
        parts = [say("answer.stats_list", lang, game=self._game_name(row.game), number=row.seats)]
        if now.games:
            sure = say(_SURENESS[now.sureness], lang)
            parts.append(
                say("answer.stats_points", lang, points=now.points, margin=now.margin, sure=sure)
            )
            ranks = tuple(
                say("answer.stats_place", lang, place=rank, count=count)
                for rank, count in enumerate(now.ranks, 1)
                if count
            )
            parts.append(say("answer.stats_games", lang, count=now.games, places=ranks))
        if now.left:
            parts.append(say("answer.stats_left", lang, count=now.left))
        return " ".join(parts)

    def stats_cells(self, row: RatingRow) -> Cells:
        """The same as cells of a table."""
        now = rating_of(row)
        points = (f"{now.points}", f"±{now.margin}") if now.games else ("", "")
        ranks = "-".join(map(str, now.ranks)) if now.games else ""
        left = f"{now.left}" if now.left else ""
        return self._game_name(row.game), f"{row.seats}", *points, f"{now.games}", ranks, left

    def table(self, rows: Sequence[Cells], heads: Sequence[str]) -> list[str]:
        """Numbers below their heads; nothing where that is read aloud, or too wide."""
        head = tuple(say(each, self._lang) if each else "" for each in heads)
        texts = [number for number, each in enumerate(heads) if each in _TEXTS]
        lines = [] if self._linear else aligned([head, *rows], texts)
        return lines if max(map(columns, lines), default=0) <= self._width else []

    def played(self, played: PlayedGame) -> str:
        """One of the last games of a person."""
        key = "answer.game_played" if played.rank else "answer.game_left"
        return say(
            key if played.rated else "answer.game_unrated",
            self._lang,
            day=day_of(played.at),
            id=played.game_id,
            game=self._game_name(played.game),
            number=played.seats,
            place=played.rank,
            change=f"{played.change:+}",
        )

    def ranking(self, game: str, ranking: Ranking) -> list[str]:
        """A page of a ranking, with the caller's row."""
        lang, caller = self._lang, ranking.caller
        lines = [say("answer.top_head", lang, game=self._game_name(game), number=ranking.seats)]
        ranks = list(zip(_ranks(ranking), ranking.rows, strict=True))
        if ranks:
            rows: list[Cells] = []
            for rank, each in ranks:
                now, name = rating_of(each.row), each.name or "?"
                rows.append((f"{rank}.", name, f"{now.points}", f"±{now.margin}", f"{now.games}"))
            lines += self.table(rows, _TOP) or (self._ranked(rank, each) for rank, each in ranks)
        else:
            lines.append(self.empty())
        if caller is not None and all(each.row.key != caller.key for each in ranking.rows):
            lines.append(self._caller_line(ranking, caller))
        page = ranking.first // TOP_SIZE + 2
        if len(ranking.rows) == TOP_SIZE and page <= TOP_PAGES:
            lines.append(say("answer.top_more", lang, line=f"/top {game} {ranking.seats} {page}"))
        return lines

    def _ranked(self, rank: int, ranked: Ranked) -> str:
        now = rating_of(ranked.row)
        return say(
            "answer.top_row",
            self._lang,
            place=rank,
            name=ranked.name or "?",
            points=now.points,
            margin=now.margin,
            count=now.games,
        )

    def _caller_line(self, ranking: Ranking, caller: RatingRow) -> str:
        now, above = rating_of(caller), ranking.above_caller
        key = "answer.top_mine" if above is None else "answer.top_mine_at"
        return say(
            "answer.top_unlisted" if caller.score is None else key,
            self._lang,
            place=(above or 0) + 1,
            points=now.points,
            count=now.games,
            least=LISTED_GAMES,
        )


def _ranks(ranking: Ranking) -> list[int]:
    """The ranks of the rows that are shown: equal scores have equal ranks."""
    scores = [each.row.score for each in ranking.rows]
    firsts = map(scores.index, scores)
    return [1 + (ranking.first + first if first else ranking.above) for first in firsts]


def _played(row: RatingRow) -> Iterator[PlayedGame]:
    """The last games of a row, the newest first."""
    for each in rating_of(row).recent:
        yield PlayedGame(**asdict(each), game=row.game, seats=row.seats)


def _rated_in(row: RatingRow, recent: int | None) -> RatedIn:
    """A row, with so many of its last games; None: all."""
    now, games = rating_of(row), tuple(each for each in _played(row) if each.rated)
    return RatedIn(row.game, row.seats, _points(row), now.ranks, now.left, games[:recent])


def _points(row: RatingRow) -> Points:
    now = rating_of(row)
    return Points(now.points, now.margin, now.mu, now.sigma, now.games)


def _ranked_with(ranking: Ranking) -> RankedWith:
    ranks = zip(_ranks(ranking), ranking.rows, strict=True)
    rows = tuple(RankedPerson(rank, each.name, _points(each.row)) for rank, each in ranks)
    caller = UNSET if ranking.caller is None else _points(ranking.caller)
    return RankedWith(ranking.seats, rows, caller)
