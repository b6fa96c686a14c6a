// The finished games of a person, each with its replay and its analysis.

import type { VNode } from "preact";
import { number } from "../board/index.ts";
import type { PlayedGame } from "../protocol/answers.gen.ts";
import { gameName } from "../state/selectors.ts";
import { peopleStrings } from "../strings/people.ts";
import { analysisRequest } from "./analysisRequest.ts";
import { PageLink } from "./pageLink.tsx";
import { Cover } from "./start.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** The seat of the person whose game it is: by name, or by rank after another name. */
export function seatOfPlayer(game: PlayedGame, name: string): number {
  const seat = game.names.indexOf(name);
  return seat === -1 ? game.ranks.indexOf(game.rank) : seat;
}

function signed(change: number): string {
  return change < 0 ? `−${-change}` : `+${change}`;
}

function Played(props: ViewProps & { readonly game: PlayedGame; readonly name: string }): VNode {
  const { state, emit, game, name } = props;
  const strings = peopleStrings(state.settings.lang);
  const day = new Intl.DateTimeFormat(state.settings.lang, { dateStyle: "medium" });
  const seat = seatOfPlayer(game, name);
  const to = { at: "game", id: game.game_id, move: undefined } as const;
  const rank = game.rank === 0 ? strings.leftGame : strings.rank(game.rank, game.seats);
  return (
    <li class="row">
      <Cover game={game.game} />
      <b class="row-place">{rank}</b>
      <div class="row-what">
        <span>
          {game.names
            .filter((_, each) => each !== seat)
            .map((other, at) => (
              <span key={`${at} ${other}`}>
                {at > 0 && ", "}
                <Person emit={emit} name={other} />
              </span>
            ))}
        </span>
        <small>
          {gameName(state, game.game)} · {day.format(game.at)} ·{" "}
          {game.rated ? strings.rating(signed(game.change)) : strings.unrated}
        </small>
      </div>
      <PageLink emit={emit} to={to} class="btn">
        {strings.replay}
      </PageLink>
      <a
        class="btn"
        href={`/game/${game.game_id}`}
        onClick={(event) => {
          event.preventDefault();
          emit(analysisRequest(game.game_id));
          emit({ type: "navigated", address: to });
        }}
      >
        {strings.analysis}
      </a>
    </li>
  );
}

/** A name that leads to the person's page; house bots have none. */
export function Person({ emit, name }: Pick<ViewProps, "emit"> & { readonly name: string }) {
  if (name.startsWith("@")) return <bdi>{name}</bdi>;
  return (
    <PageLink emit={emit} to={{ at: "person", name }} class="person">
      <bdi>{name}</bdi>
    </PageLink>
  );
}

export function PlayedGames(
  props: ViewProps & { readonly name: string; readonly played: readonly PlayedGame[] | undefined },
): VNode {
  const { state, name, played } = props;
  const strings = peopleStrings(state.settings.lang);
  return (
    <section class="card">
      <header>
        <h2>
          {strings.finished}{" "}
          {played !== undefined && <span class="badge">{number(played.length)}</span>}
        </h2>
      </header>
      {played === undefined && <p role="status">{stringsOf(state).connecting}</p>}
      {played?.length === 0 && <p class="quiet">{strings.noneFinished}</p>}
      <ul>
        {played?.map((game) => (
          <Played key={game.game_id} {...props} game={game} name={name} />
        ))}
      </ul>
    </section>
  );
}
