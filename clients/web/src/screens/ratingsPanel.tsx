// My ratings and the rankings: two tables, from the data of `/stats` and `/top`.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { number } from "../board/index.ts";
import type { Ranks, Rating } from "../state/ratingData.ts";
import { gameName } from "../state/selectors.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** Points with their margin of error. */
function Points({ points, margin }: Pick<Rating, "points" | "margin">): VNode {
  return (
    <td>
      <b>{number(points)}</b> <small class="quiet">±{number(margin)}</small>
    </td>
  );
}

function MyRatings({ state }: Pick<ViewProps, "state">): VNode {
  const strings = stringsOf(state);
  const { personal } = state.ratings;
  if (personal === undefined) return <p role="status">{strings.connecting}</p>;
  if (personal.length === 0) return <p class="quiet">{strings.noRatings}</p>;
  return (
    <div class="scroll">
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">{strings.game}</th>
            <th scope="col">{strings.rated}</th>
            <th scope="col">{strings.ratedGames}</th>
            <th scope="col">{strings.ratedRanks}</th>
          </tr>
        </thead>
        <tbody>
          {personal.map((each) => (
            <tr key={`${each.game} ${each.seats}`}>
              <th scope="row">
                {gameName(state, each.game)}{" "}
                <small class="quiet">{strings.players(each.seats, each.seats)}</small>
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
  const strings = stringsOf(state);
  return (
    <div class="scroll">
      <table class="facts">
        <caption>{strings.players(ranks.seats, ranks.seats)}</caption>
        <thead>
          <tr>
            <th scope="col">{strings.ratedRank}</th>
            <th scope="col">{strings.name}</th>
            <th scope="col">{strings.rated}</th>
            <th scope="col">{strings.ratedGames}</th>
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
  const strings = stringsOf(state);
  const [game, setGame] = useState(state.lobby.game ?? state.choice);
  useEffect(() => emit({ type: "ratings_requested", game }), [game, emit]);
  const request = state.ratings.top[game];
  const lists = (request ?? []).filter((each) => each.rows.length > 0);
  return (
    <div class="ratings">
      <p class="quiet">{strings.ratingsHint}</p>
      <h3>{strings.myRatings}</h3>
      <MyRatings state={state} />
      <h3>{strings.best}</h3>
      <label class="privacy">
        <span>{strings.game}</span>
        <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
          {state.games.map((each) => (
            <option key={each.key} value={each.key}>
              {each.name[state.settings.lang]}
            </option>
          ))}
        </select>
      </label>
      {request !== undefined && lists.length === 0 && <p class="quiet">{strings.noneRanked}</p>}
      {lists.map((ranks) => (
        <Best key={ranks.seats} state={state} ranks={ranks} />
      ))}
    </div>
  );
}
