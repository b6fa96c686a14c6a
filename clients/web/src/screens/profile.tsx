// A person's page: ratings with their curves, finished games, and how often they came in ahead of others.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { number } from "../board/index.ts";
import { quoted } from "../line/quoted.ts";
import type { PlayedGame, RatedIn } from "../protocol/answers.gen.ts";
import { gameName } from "../state/selectors.ts";
import { LOBBY } from "../state/state.ts";
import { peopleStrings } from "../strings/people.ts";
import { useListed } from "./friendList.tsx";
import { useQuery } from "./peopleData.ts";
import { Person, PlayedGames, seatOfPlayer } from "./playedGames.tsx";
import { RatingCurve } from "./ratingCurve.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

type ProfileProps = ViewProps & { readonly name: string };

/** Adds to a list of mine, or removes from it. */
function ListButton(props: ProfileProps & { readonly list: "friends" | "mute" | "block" }): VNode {
  const { state, emit, name, list } = props;
  const isListed = useListed(props, list).some((each) => each.name === name);
  const text = `/${list} ${isListed ? "delete" : "add"} ${quoted(name)}`;
  const [add, remove] = peopleStrings(state.settings.lang)[list];
  return (
    <button
      type="button"
      class="btn"
      onClick={() => emit({ type: "line_chosen", inputKey: LOBBY, text })}
    >
      {isListed ? remove : add}
    </button>
  );
}

/** A report goes from the last room, as its talk is added there, and so its answer stands there. */
function Report({ state, emit, name }: ProfileProps): VNode {
  const strings = peopleStrings(state.settings.lang);
  const [why, setWhy] = useState("");
  const room = state.session.rooms.at(-1);
  return (
    <form
      class="doors"
      onSubmit={(event) => {
        event.preventDefault();
        const text = `/report ${quoted(name)} ${why}`;
        emit({ type: "line_chosen", inputKey: room ?? LOBBY, text });
        emit({ type: "navigated", address: room ? { at: "room", id: room } : { at: "lobby" } });
      }}
    >
      <input
        required
        maxLength={300}
        placeholder={strings.why}
        aria-label={strings.why}
        value={why}
        onInput={(event) => setWhy(event.currentTarget.value)}
      />
      <button type="submit" class="btn">
        {strings.report}
      </button>
    </form>
  );
}

function keyOf(row: RatedIn): string {
  return `${row.game} ${row.seats}`;
}

/** "Manhattan · 2 players" */
function rowName(state: ViewProps["state"], row: RatedIn): string {
  return `${gameName(state, row.game)} · ${stringsOf(state).players(row.seats, row.seats)}`;
}

function Tiles({ state, rows }: Pick<ViewProps, "state"> & { rows: readonly RatedIn[] }): VNode {
  const strings = peopleStrings(state.settings.lang);
  const games = rows.reduce((sum, row) => sum + row.rating.games, 0);
  const won = rows.reduce((sum, row) => sum + (row.ranks[0] ?? 0), 0);
  const [most] = rows;
  const tiles: readonly (readonly [string, string])[] = [
    [number(Math.max(...rows.map((row) => row.rating.points))), strings.best],
    [number(games), strings.ratedGames],
    [`${Math.round((100 * won) / games)} %`, strings.won],
    [gameName(state, most?.game ?? ""), strings.mostPlayed],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([value, label]) => (
        <div key={label} class="card">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The curve of one rating; the newest games of each come with a query of their own. */
function Curve(props: ProfileProps & { readonly rows: readonly RatedIn[] }): VNode {
  const { state, name, rows } = props;
  const strings = peopleStrings(state.settings.lang);
  const [chosen, setChosen] = useState(rows[0]);
  const line = `/stats ${quoted(name)} ${chosen?.game ?? ""}` as const;
  const { data } = useQuery<"stats">(props, chosen === undefined ? "" : line);
  const row = data?.ratings.find((each) => chosen !== undefined && keyOf(each) === keyOf(chosen));
  const points = (row ?? chosen)?.recent.map((game) => game.points).toReversed() ?? [];
  return (
    <section class="card">
      <header>
        <h2>{strings.ratingOf}</h2>
        <div class="chips">
          {rows.map((each) => (
            <button
              key={keyOf(each)}
              type="button"
              class="chip"
              aria-pressed={each === chosen}
              onClick={() => setChosen(each)}
            >
              {rowName(state, each)}
            </button>
          ))}
        </div>
      </header>
      <RatingCurve points={points} strings={strings} />
    </section>
  );
}

function ByGame({ state, rows }: Pick<ViewProps, "state"> & { rows: readonly RatedIn[] }): VNode {
  const strings = stringsOf(state);
  return (
    <section class="card">
      <header>
        <h2>{peopleStrings(state.settings.lang).byGame}</h2>
      </header>
      <div class="scroll">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">{strings.game}</th>
              <th scope="col">{strings.ratedGames}</th>
              <th scope="col">{strings.ratedRanks}</th>
              <th scope="col">{strings.rated}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                <th scope="row">{rowName(state, row)}</th>
                <td>{number(row.rating.games)}</td>
                <td>{row.ranks.map((count) => number(count)).join(" · ")}</td>
                <td>
                  <b>{number(row.rating.points)}</b>{" "}
                  <small class="quiet">±{number(row.rating.margin)}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export interface Rival {
  readonly name: string;
  readonly games: number;
  readonly ahead: number;
  readonly behind: number;
}

/** How often a person came in ahead of and behind each other one, in these games. */
export function rivalsOf(name: string, played: readonly PlayedGame[]): readonly Rival[] {
  const rivals = new Map<string, Rival>();
  for (const game of played) {
    const seat = seatOfPlayer(game, name);
    for (const [each, other] of game.names.entries()) {
      const rank = game.ranks[each];
      if (each === seat || rank === undefined || game.rank === 0) continue;
      const before = rivals.get(other) ?? { name: other, games: 0, ahead: 0, behind: 0 };
      rivals.set(other, {
        name: other,
        games: before.games + 1,
        ahead: before.ahead + Number(game.rank < rank),
        behind: before.behind + Number(game.rank > rank),
      });
    }
  }
  return [...rivals.values()].toSorted((a, b) => b.games - a.games);
}

/** More rivals would be a list of strangers. */
const RIVALS = 8;

function HeadToHead(
  props: ProfileProps & { readonly played: readonly PlayedGame[] },
): VNode | null {
  const { state, emit, name, played } = props;
  const strings = peopleStrings(state.settings.lang);
  const rivals = rivalsOf(name, played).slice(0, RIVALS);
  if (rivals.length === 0) return null;
  return (
    <section class="card">
      <header>
        <h2>{strings.headToHead}</h2>
      </header>
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">{strings.withName}</th>
            <th scope="col">{strings.games}</th>
            <th scope="col">{strings.aheadBehind}</th>
          </tr>
        </thead>
        <tbody>
          {rivals.map((rival) => (
            <tr key={rival.name}>
              <th scope="row">
                <Person emit={emit} name={rival.name} />
              </th>
              <td>{number(rival.games)}</td>
              <td>
                {rival.ahead} : {rival.behind}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Profile(props: ProfileProps): VNode {
  const { state, name } = props;
  const strings = peopleStrings(state.settings.lang);
  // Of my own games also those that were not rated are listed.
  const line = name === state.name ? "/stats" : (`/stats ${quoted(name)}` as const);
  const { data, refused } = useQuery<"stats">(props, line);
  const rows = data?.ratings.toSorted((a, b) => b.rating.games - a.rating.games) ?? [];
  const rated = rows.filter((row) => row.rating.games > 0);
  const isRated = rated.length > 0;
  return (
    <>
      <header class="who">
        <h1>
          <bdi>{data?.name ?? name}</bdi>
        </h1>
        {refused === undefined && name !== state.name && (
          <div class="doors">
            <ListButton {...props} list="friends" />
            <ListButton {...props} list="mute" />
            <ListButton {...props} list="block" />
            <Report {...props} />
          </div>
        )}
      </header>
      {refused !== undefined && (
        <p class="refused" role="alert">
          {refused}
        </p>
      )}
      {data !== undefined && (
        <>
          {isRated && <Tiles state={state} rows={rated} />}
          <div class="columns">
            <div>
              {!isRated && <p class="quiet">{strings.notRatedYet(data.name)}</p>}
              {isRated && <Curve {...props} rows={rated} />}
              <PlayedGames {...props} name={data.name} played={data.played} />
            </div>
            <div>
              <HeadToHead {...props} name={data.name} played={data.played} />
              {isRated && <ByGame state={state} rows={rated} />}
            </div>
          </div>
        </>
      )}
    </>
  );
}
