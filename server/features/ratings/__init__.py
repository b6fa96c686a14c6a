"""Ratings: `/stats`, `/top`, and what a rated game changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from bluebear.rules.core.merge_patch import Shaped
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
    Rating,
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

_SURENESS: Final = (
    "answer.very_unsure",
    "answer.unsure",
    "answer.fairly_sure",
    "answer.sure",
)
_RECENT: Final = ("id", "at", "place", "points", "change", "names", "places", "rated")
"""What the fields of a recent game are called in data."""
Played = tuple[RecentGame, RatingRow]
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
    topic = Topic.PEOPLE

    @Command("stats name? game?", anywhere(), names=("戦績", "成績"), offers=ONLINE, is_query=True)
    async def stats(self, ctx: Context, name: str = "", game: str = "") -> Tell:
        """`/stats`: the ratings of a person, their ranks and last games; "" is the caller, and all
        games.

        Unrated games are shown to their players alone: no other person was asked about them.
        """
        games, lang = self.services.games, ctx.lang
        name, game = _person_and_game(games, name, game)
        person, shown = ctx.connection.person, ctx.connection.name
        if name:
            person, shown = await self.services.look_ups.find_person(name, registered=True)
        rows = await self.services.store.read(ratings.read_of, person, RATINGS_OF_ONE)
        rows = [row for row in rows if game in ("", row.game)]
        owned = person == ctx.connection.person
        played = [(e, row) for row in rows for e in rating_of(row).recent if e.rated or owned]
        played.sort(key=lambda each: (-each[0].at, each[0].game_id))
        rows = [row for row in rows if rating_of(row).games or rating_of(row).left]
        texts = _Texts(games, ctx)
        lines = [say("answer.stats_of" if rows else "answer.no_stats", lang, name=shown)]
        flowing = (line for row in rows for line in flowed(texts.stats(row), ctx.width, _INDENT))
        if rows:
            lines += texts.table([texts.stats_cells(row) for row in rows], _STATS) or flowing
        if played:
            lines.append(say("answer.last_games", lang))
        lines += [texts.recent(each, row) for each, row in played[:_RECENT_SHOWN]]
        data = _stats_data(shown, rows, played, None if game else _RECENT_SHOWN)
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
        return Tell("top", "\n".join(listed or [texts.empty()]), lambda: _top_data(game, rankings))

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


def _person_and_game(games: Games, name: str, game: str) -> tuple[str, str]:
    """A single word that names a game is that."""
    if name and not game:
        exact = Lexicon(game_choices(games)).exact(fold(name))
        if exact:
            return "", exact
    return name, game


class _Texts:
    """Makes the sentences and tables of one reply."""

    def __init__(self, games: Games, ctx: Context) -> None:
        self._games = games
        self._lang = ctx.lang
        self._linear = ctx.linear
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

    def recent(self, recent: RecentGame, row: RatingRow) -> str:
        """One of the last games of a person."""
        key = "answer.game_played" if recent.rank else "answer.game_left"
        return say(
            key if recent.rated else "answer.game_unrated",
            self._lang,
            day=day_of(recent.at),
            id=recent.game_id,
            game=self._game_name(row.game),
            number=row.seats,
            place=recent.rank,
            change=f"{recent.change:+}",
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


def _stats_data(
    name: str, rows: Sequence[RatingRow], played: Sequence[Played], recent: int | None
) -> Shaped:
    """Strength and its uncertainty are in millionths, times in ms; so many `recent` of a row."""
    games = [
        {"game": row.game, "seats": row.seats, **_recent_data(each)}
        for each, row in played[:_PLAYED_SHOWN]
    ]
    return {"name": name, "ratings": [_row_data(row, recent) for row in rows], "played": games}


def _recent_data(recent: RecentGame) -> dict[str, Any]:  # Any: a plain tree
    return dict(zip(_RECENT, msgspec.to_builtins(recent), strict=True))


def _row_data(row: RatingRow, recent: int | None) -> dict[str, Any]:  # Any: a plain tree
    now = rating_of(row)
    return {
        "game": row.game,
        "seats": row.seats,
        **_points_data(now),
        "places": list(now.ranks),
        "left": now.left,
        "recent": [_recent_data(each) for each in now.recent if each.rated][:recent],
    }


def _points_data(now: Rating) -> dict[str, Any]:  # Any: a plain tree
    return {
        "points": now.points,
        "margin": now.margin,
        "mu_millionths": now.mu,
        "sigma_millionths": now.sigma,
        "games": now.games,
    }


def _top_data(game: str, rankings: Sequence[Ranking]) -> Shaped:
    """`lists` by seats, each with its `rows`, and the caller's as `mine`."""
    lists: list[Any] = []  # Any: plain trees
    for ranking in rankings:
        rows: list[Any] = [
            {"place": rank, "name": each.name, **_points_data(rating_of(each.row))}
            for rank, each in zip(_ranks(ranking), ranking.rows, strict=True)
        ]
        caller = {} if ranking.caller is None else {"mine": _points_data(rating_of(ranking.caller))}
        lists.append({"seats": ranking.seats, "rows": rows, **caller})
    return {"game": game, "lists": lists}
