// The ranking of a game with a number of players, a page of rows at a time.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { number } from "../board/index.ts";
import type { RankedPerson } from "../protocol/answers.gen.ts";
import { peopleStrings } from "../strings/people.ts";
import { PageLink } from "./pageLink.tsx";
import { useQuery } from "./peopleData.ts";
import { Person } from "./playedGames.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** Rows of a full page, as the server lists them. */
const ROWS = 20;
/** A person alone is not ranked. */
const PEOPLE_LEAST = 2;

function Rows(props: ViewProps & { readonly rows: readonly RankedPerson[] }): VNode {
  const { state, emit, rows } = props;
  const strings = stringsOf(state);
  return (
    <div class="scroll">
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">{strings.ratedRank}</th>
            <th scope="col">{strings.name}</th>
            <th scope="col">{strings.rated}</th>
            <th scope="col">{strings.ratedGames}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} aria-current={row.name === state.name ? "true" : undefined}>
              <td>{row.rank}</td>
              <th scope="row">
                <Person emit={emit} name={row.name} />
              </th>
              <td>
                <b>{number(row.rating.points)}</b>{" "}
                <small class="quiet">±{number(row.rating.margin)}</small>
              </td>
              <td>{number(row.rating.games)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Leaderboard(props: ViewProps): VNode {
  const { state, emit } = props;
  const strings = peopleStrings(state.settings.lang);
  const { address, games } = state;
  const chosen = address.at === "top" ? address.game : "";
  const game = games.find((each) => each.key === chosen) ?? games[0];
  const [seats, setSeats] = useState(0);
  const [page, setPage] = useState(1);
  const least = Math.max(PEOPLE_LEAST, game?.seats.min ?? 0);
  const numbers = Array.from(
    { length: Math.max(0, (game?.seats.max ?? 0) - least + 1) },
    (_, more) => least + more,
  );
  const players = numbers.includes(seats) ? seats : least;
  const line = game === undefined ? "" : (`/top ${game.key} ${players} ${page}` as const);
  const { data, refused } = useQuery<"top">(props, line);
  const rows = data?.lists[0]?.rows ?? [];
  return (
    <>
      <h1>{strings.leaderboard}</h1>
      <nav class="chips" aria-label={stringsOf(state).game}>
        {games.map((each) => (
          <PageLink
            key={each.key}
            emit={emit}
            to={{ at: "top", game: each.key }}
            class={each === game ? "chip on" : "chip"}
            current={each === game}
          >
            {each.name[state.settings.lang]}
          </PageLink>
        ))}
      </nav>
      <div class="chips" role="group" aria-label={strings.seats}>
        {numbers.map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={each === players}
            onClick={() => {
              setSeats(each);
              setPage(1);
            }}
          >
            {stringsOf(state).players(each, each)}
          </button>
        ))}
      </div>
      <section class="card">
        <p class="quiet">{stringsOf(state).ratingsHint}</p>
        {refused !== undefined && <p class="refused">{refused}</p>}
        {data !== undefined && rows.length === 0 && <p>{stringsOf(state).noneRanked}</p>}
        {rows.length > 0 && <Rows {...props} rows={rows} />}
        {page > 1 && (
          <button type="button" class="btn" onClick={() => setPage(1)}>
            {strings.top}
          </button>
        )}
        {rows.length === ROWS && (
          <button type="button" class="btn" onClick={() => setPage(page + 1)}>
            {strings.more}
          </button>
        )}
      </section>
    </>
  );
}
