// The replay of a finished game, step by step, with all secrets.

import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Board, Position } from "../board/contract.ts";
import { COLOURED_SEATS, Icon, number, SeatMark } from "../board/index.ts";
import { positionOf } from "../board/position.ts";
import type { Table } from "../protocol/table.gen.ts";
import { inputOf } from "../state/lineInput.ts";
import type { Moment, Replay } from "../state/replay.ts";
import { replayKey } from "../state/replaySteps.ts";
import { bodyOf, gameName, replayPosition, roomOfGame, type Trial } from "../state/selectors.ts";
import { LOBBY, type State } from "../state/state.ts";
import { analysisRequest } from "./analysisRequest.ts";
import { BoardArea, useArea, useBoard } from "./boardArea.tsx";
import { Guarded } from "./boundary.tsx";
import { Dialogs } from "./dialogs.tsx";
import { lazy } from "./lazy.tsx";
import { PageLink } from "./pageLink.tsx";
import { type Mark, Scrubber } from "./scrubber.tsx";
import { LinkBar, TopBar } from "./topBar.tsx";
import type { TurningPointsProps } from "./turningPoints.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "./roomStyle.ts";
import "../style/replay.css";

const ReplayDetails = lazy(() =>
  import("./replayDetails.tsx").then((loaded) => loaded.ReplayDetails),
);
const TurningPoints = lazy<TurningPointsProps>(() =>
  import("./turningPoints.tsx").then((loaded) => loaded.TurningPoints),
);

/** More than 12 marks overlap on the slider. */
const MARKS_MAX = 12;

function tableOf(moment: Moment): Table {
  return moment.view.room;
}

/** The steps at which the board's progress text changes: mostly rounds. */
function marksOf(state: State, replay: Replay, board: Board | undefined): readonly Mark[] {
  const game = bodyOf(state, replay.game);
  if (board?.progress === undefined || game === undefined) return [];
  const marks: Mark[] = [];
  let last = "";
  for (const [step, moment] of Object.entries(replay.moments)) {
    const position = positionOf({
      game,
      view: moment.view,
      eyes: replay.eyes,
      moves: {},
      text: "",
      since: [],
      lang: state.settings.lang,
      look: {},
      answers: {},
      area: { width: 0, height: 0, touch: false },
    });
    const label = board.progress(position) ?? "";
    if (label !== last) marks.push({ at: Number(step), label });
    last = label;
  }
  return marks.length > MARKS_MAX ? [] : marks;
}

/** The players; a press shows that player's hand. */
function Hands(
  props: ViewProps & {
    readonly of: string;
    readonly replay: Replay;
    readonly moment: Moment;
    readonly board: Board | undefined;
    readonly position: Position | undefined;
  },
): VNode {
  const { state, emit, of: key, replay, moment, board, position } = props;
  const strings = stringsOf(state);
  const table = tableOf(moment);
  const seats = Object.keys(table.seats).map(Number);
  const many = seats.length > COLOURED_SEATS;
  const seen = replay.seat ?? replay.eyes[0];
  return (
    <section class="seats-frame" aria-label={strings.seats}>
      <ul class={many ? "seats many" : "seats"} aria-label={strings.seats} id="seats" tabIndex={-1}>
        {seats.map((seat) => {
          const facts = position === undefined ? {} : (board?.seat?.(seat, position) ?? {});
          const turn = table.turn.includes(seat);
          const classes = turn ? "seat turn" : "seat";
          return (
            <li key={seat} class={classes} aria-current={turn ? "true" : undefined}>
              <SeatMark seat={seat} many={many} text={facts.letter} />
              <b>
                <bdi>{table.seats[seat]?.name ?? seat}</bdi>{" "}
                {turn && <span class="to-move">{strings.toMove}</span>} <small>{facts.note}</small>
              </b>
              <button
                type="button"
                class="btn flat"
                aria-pressed={seat === seen}
                aria-label={strings.seenBy(table.seats[seat]?.name ?? String(seat))}
                onClick={() => emit({ type: "replay_seat", key, seat })}
              >
                <Icon name="eye" size={16} />
              </button>
              <span class="score">{facts.score === undefined ? "" : number(facts.score)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Where the person came from: the table of the game, or the list of their games. */
function Back({ state, emit, id }: ViewProps & { readonly id: string }): VNode {
  const strings = stringsOf(state);
  const room = roomOfGame(state, id);
  return (
    <PageLink
      emit={emit}
      to={room === undefined ? { at: "me" } : { at: "room", id: room.id }}
      class="btn back-door"
    >
      ‹ <span>{room === undefined ? strings.yourGames : strings.backToTable}</span>
    </PageLink>
  );
}

/** Another game like this one: at the table where it was played, or at a new one with a bot. */
function PlayAgain({
  state,
  emit,
  id,
  replay,
}: ViewProps & { readonly id: string; readonly replay: Replay }): VNode {
  const room = roomOfGame(state, id);
  return (
    <button
      type="button"
      class="btn act"
      disabled={state.script !== undefined || replay.game === ""}
      onClick={() => {
        if (room === undefined) {
          emit({ type: "chose_game", game: replay.game });
          emit({ type: "play_now" });
        } else {
          emit({ type: "navigated", address: { at: "room", id: room.id } });
          emit({ type: "line_chosen", inputKey: room.id, text: "/again" });
        }
      }}
    >
      {stringsOf(state).playAgain}
    </button>
  );
}

/** The link to a room that continues the game from here, or the reason why there is none. */
function ContinueLink({
  state,
  emit,
  id,
  replay,
}: ViewProps & { id: string; replay: Replay }): VNode {
  const strings = stringsOf(state);
  const line = `/fork ${id} ${replay.shown}`;
  const moment = replay.moments[replay.shown];
  const scored = moment !== undefined && tableOf(moment).ending?.how === "score";
  const { refusal } = inputOf(state, LOBBY);
  return (
    <>
      <button
        type="button"
        class="btn fork"
        disabled={scored}
        onClick={() => emit({ type: "line_chosen", inputKey: LOBBY, text: line })}
      >
        <Icon name="plus" size={16} />
        <span>{strings.forkHere}</span>
      </button>
      {refusal?.line === line && (
        <p class="refused" role="alert">
          {refusal.text}
        </p>
      )}
    </>
  );
}

export function ReplayScreen(props: ViewProps & { readonly id: string; readonly touch: boolean }) {
  const { state, emit, id, touch } = props;
  const strings = stringsOf(state);
  const key = replayKey(id);
  const replay = state.replays[key];
  const game = replay?.game ?? "";
  const about = bodyOf(state, game);
  const board = useBoard(state, game);
  const [ref, area] = useArea(touch);
  const [trial, setTrial] = useState<Trial>();
  const position = replayPosition(state, key, area, trial);
  const moment = replay?.moments[replay.shown];
  const analysed = state.requests[analysisRequest(id).key]?.body;
  const onStep = (to: number) => emit({ type: "replayed", key, to });
  const { lang } = state.settings;
  const marks = useMemo(
    () => (replay === undefined ? [] : marksOf(state, replay, board)),
    [replay?.moments, board, lang],
  );
  const title =
    replay === undefined || replay.game === "" ? strings.replay : gameName(state, replay.game);
  return (
    <div class="room replay">
      <TopBar {...props} title={title}>
        <Back {...props} />
      </TopBar>
      <LinkBar {...props} />
      <main class="board-area" aria-label={strings.board} id="board" tabIndex={-1}>
        {analysed && moment && (
          <TurningPoints
            {...{ state, emit, about, position, onStep, body: analysed, text: moment.text }}
            shown={replay?.shown ?? 0}
            onTrial={setTrial}
          />
        )}
        <BoardArea
          {...props}
          inputKey={key}
          board={board}
          position={position}
          areaRef={ref}
          missing={replay?.refused ?? strings.loading}
        />
        {replay !== undefined && (
          <Scrubber {...props} of={key} replay={replay} marks={marks}>
            <button
              type="button"
              class="btn"
              data-copies
              onClick={() => emit({ type: "copied", text: location.href })}
            >
              <Icon name="link" size={16} />
              <span>{strings.copyLink}</span>
            </button>
            <ContinueLink {...props} replay={replay} />
            <PlayAgain {...props} replay={replay} />
          </Scrubber>
        )}
      </main>
      {replay !== undefined && moment !== undefined && (
        <Guarded {...props} name="hands" of={moment} class="seats-frame">
          <Hands
            {...props}
            of={key}
            replay={replay}
            moment={moment}
            board={board}
            position={position}
          />
        </Guarded>
      )}
      <aside class="conversation" aria-label={strings.log}>
        {replay !== undefined && (
          <ReplayDetails {...{ state, emit, about, onStep, replay }} of={key} game={id} />
        )}
      </aside>
      <Dialogs {...props} inputKey="lobby" />
    </div>
  );
}
