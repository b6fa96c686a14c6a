// How well one plays, and who plays best: two tables, of what `/stats` and `/top` say.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { number } from "../board/index.ts";
import type { Ranks, Rating } from "../state/ratings.ts";
import { gameName } from "../state/selectors.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** Points with how far they may be off. */
function Points({ points, margin }: Pick<Rating, "points" | "margin">): VNode {
  return (
    <td>
      <b>{number(points)}</b> <small class="quiet">±{number(margin)}</small>
    </td>
  );
}

function Own({ state }: Pick<ViewProps, "state">): VNode {
  const words = stringsOf(state);
  const { personal } = state.ratings;
  if (personal === undefined) return <p role="status">{words.connecting}</p>;
  if (personal.length === 0) return <p class="quiet">{words.noRatings}</p>;
  return (
    <div class="scroll">
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">{words.game}</th>
            <th scope="col">{words.rated}</th>
            <th scope="col">{words.ratedGames}</th>
            <th scope="col">{words.ratedRanks}</th>
          </tr>
        </thead>
        <tbody>
          {personal.map((each) => (
            <tr key={`${each.game} ${each.seats}`}>
              <th scope="row">
                {gameName(state, each.game)}{" "}
                <small class="quiet">{words.players(each.seats, each.seats)}</small>
              </th>
              <Points {...each} />
              <td>{number(each.games)}</td>
              <td>{each.ranks.map((count) => number(count)).join(" · ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Best({ state, ranks }: Pick<ViewProps, "state"> & { readonly ranks: Ranks }): VNode {
  const words = stringsOf(state);
  return (
    <div class="scroll">
      <table class="facts">
        <caption>{words.players(ranks.seats, ranks.seats)}</caption>
        <thead>
          <tr>
            <th scope="col">{words.ratedRank}</th>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.rated}</th>
            <th scope="col">{words.ratedGames}</th>
          </tr>
        </thead>
        <tbody>
          {ranks.rows.map((row) => (
            <tr key={row.name} aria-current={row.name === state.name ? "true" : undefined}>
              <td>{row.rank}</td>
              <th scope="row">
                <bdi>{row.name}</bdi>
              </th>
              <Points {...row} />
              <td>{number(row.games)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function RatingsPanel({ state, emit }: ViewProps): VNode {
  const words = stringsOf(state);
  const [game, setGame] = useState(state.lobby.game ?? state.choice);
  useEffect(() => emit({ type: "ratings_wanted", game }), [game, emit]);
  const known = state.ratings.top[game];
  const lists = (known ?? []).filter((each) => each.rows.length > 0);
  return (
    <div class="ratings">
      <p class="quiet">{words.ratingsHint}</p>
      <h3>{words.myRatings}</h3>
      <Own state={state} />
      <h3>{words.best}</h3>
      <label class="privacy">
        <span>{words.game}</span>
        <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
          {state.games.map((each) => (
            <option key={each.key} value={each.key}>
              {each.name[state.settings.lang]}
            </option>
          ))}
        </select>
      </label>
      {known !== undefined && lists.length === 0 && <p class="quiet">{words.noneRanked}</p>}
      {lists.map((ranks) => (
        <Best key={ranks.seats} state={state} ranks={ranks} />
      ))}
    </div>
  );
}
