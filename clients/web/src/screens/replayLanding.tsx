// The landing page of a finished game's link, for a person without a name.

import type { VNode } from "preact";
import { COLOURED_SEATS, SeatMark } from "../board/index.ts";
import type { GameLink } from "../protocol/answers.gen.ts";
import { gameName } from "../state/selectors.ts";
import { Dialogs } from "./dialogs.tsx";
import { GamePicture } from "./logo.tsx";
import { Masthead, NameField, Progress } from "./start.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

const LABELS = {
  en: {
    storyOf: (day: string, steps: number) =>
      day === "" ? `${steps} steps` : `Played on ${day}, ${steps} steps`,
    unknownGame: "The server has no finished game of this name, or it is not for everybody.",
    watchReplay: "Watch the replay",
  },
  ja: {
    storyOf: (day: string, steps: number) =>
      day === "" ? `全${steps}手` : `${day}の対局、全${steps}手`,
    unknownGame: "この名前の終わったゲームはないか、公開されていません。",
    watchReplay: "再生を見る",
  },
} as const;

function GameLinkInfo({
  state,
  gameLink,
}: Pick<ViewProps, "state"> & { readonly gameLink: GameLink }): VNode {
  const labels = LABELS[state.settings.lang];
  const day = new Intl.DateTimeFormat(state.settings.lang, { dateStyle: "long" });
  return (
    <>
      <div class="invite-game">
        <GamePicture game={gameLink.game} />
        <h2>{gameName(state, gameLink.game)}</h2>
      </div>
      <p>
        {labels.storyOf(gameLink.ended === 0 ? "" : day.format(gameLink.ended), gameLink.steps)}
      </p>
      <ul class="sitting">
        {gameLink.seats.map((name, at) => (
          <li key={name}>
            <SeatMark seat={at + 1} size={20} many={gameLink.seats.length > COLOURED_SEATS} />
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

export function ReplayLanding(props: ViewProps): VNode {
  const { state, emit } = props;
  const strings = stringsOf(state);
  const labels = LABELS[state.settings.lang];
  const { gameLink } = state;
  const may = state.name.trim() !== "" && state.link.phase !== "connecting";
  return (
    <div class="wrap narrow">
      <Masthead {...props} />
      <main>
        <form
          class="invite card"
          onSubmit={(event) => {
            event.preventDefault();
            if (may) emit({ type: "sign_in" });
          }}
        >
          <p class="eyebrow">{strings.replay}</p>
          {gameLink !== undefined && gameLink !== "unknown" && (
            <GameLinkInfo state={state} gameLink={gameLink} />
          )}
          {gameLink === "unknown" && <p>{labels.unknownGame}</p>}
          <NameField {...props} />
          <div class="doors">
            <button type="submit" class="btn act big" disabled={!may}>
              {labels.watchReplay}
            </button>
          </div>
          <Progress {...props} />
        </form>
        <Dialogs {...props} inputKey="lobby" />
      </main>
    </div>
  );
}
