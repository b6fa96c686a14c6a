// A room: board and conversation. This file knows no game.

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Board, Position } from "../board/contract.ts";
import { Icon, Still } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf, delayOf, gameName, positionAt, shownMoment, tableOf } from "../state/selectors.ts";
import { stringFor } from "../strings/index.ts";
import { BoardArea, useArea, useBoard, useSame } from "./boardArea.tsx";
import { Guarded } from "./boundary.tsx";
import { Dialogs } from "./dialogs.tsx";
import { lazy } from "./lazy.tsx";
import { LineForm } from "./line.tsx";
import { Seats } from "./seats.tsx";
import { Task } from "./task.tsx";
import { LinkBar, TopBar } from "./topBar.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "./roomStyle.ts";

const BeforeGame = lazy(() => import("./beforeGame.tsx").then((loaded) => loaded.BeforeGame));
const LiveReplay = lazy(() => import("./liveReplay.tsx").then((loaded) => loaded.LiveReplay));
const loadConversation = () => import("./conversation.tsx");
const Conversation = lazy(
  () => loadConversation().then((loaded) => loaded.Conversation),
  "log-frame",
);
const Menu = lazy(() => loadConversation().then((loaded) => loaded.Menu), "");

interface RoomProps extends ViewProps {
  readonly room: RoomView;
  readonly touch: boolean;
}

/** Several moves in a row cause one query. */
const ASK_MS = 250;

function subtitle(
  props: RoomProps,
  board: Board | undefined,
  position: Position | undefined,
): string {
  const { state, room } = props;
  const strings = stringsOf(state);
  const table = tableOf(room);
  const progress = position && board?.progress?.(position);
  const late = delayOf(room);
  const parts = [
    table.phase === "playing" && progress
      ? progress
      : (stringFor(strings.phase, table.phase) ?? table.phase),
    ...(late > 0 ? [strings.late(late)] : []),
    strings.room(room.id),
    stringFor(strings.privacyName, table.privacy) ?? table.privacy,
  ];
  return parts.join(" · ");
}

function Playground({
  props,
  board,
  position,
  area,
}: {
  readonly props: RoomProps;
  readonly board: Board | undefined;
  readonly position: Position | undefined;
  readonly area: (element: HTMLElement | null) => void;
}): VNode {
  const { state, emit, room } = props;
  const strings = stringsOf(state);
  const waiting = room.view.game === undefined;
  const { asText, refusal } = inputOf(state, room.id);
  return (
    <main class="board-area" aria-label={strings.board} id="board" tabIndex={-1}>
      {waiting ? (
        <BeforeGame {...props} inputKey={room.id} body={bodyOf(state, room.game)} />
      ) : (
        <>
          <Task {...props} inputKey={room.id} board={board} position={position} />
          {/* Talk, a tick of the clock and an answer to a query do not change the board. */}
          <Still of={[board, position, asText, refusal, state.settings, room.id, emit]}>
            {() => (
              <BoardArea
                {...props}
                inputKey={room.id}
                board={board}
                position={position}
                areaRef={area}
                missing={strings.loading}
              />
            )}
          </Still>
          {state.replays[room.id] && <LiveReplay {...props} />}
        </>
      )}
    </main>
  );
}

export function Room(props: RoomProps): VNode {
  const { state, emit, room, touch } = props;
  const strings = stringsOf(state);
  const board = useBoard(state, room.game);
  const [ref, area] = useArea(touch);
  const position = useSame(positionAt(state, room.id, area));
  const input = inputOf(state, room.id);
  const query = board?.query;
  useEffect(() => {
    // Queried again when the table changes.
    if (query === undefined || room.view.game === undefined) return;
    const later = setTimeout(() => {
      emit({ type: "acted", inputKey: room.id, act: { act: "ask", line: query } });
    }, ASK_MS);
    return () => clearTimeout(later);
  }, [query, room.version, room.id, state.settings.lang, emit, room.view.game]);
  const facts = { state, emit, inputKey: room.id };
  const guard = { state, emit, of: room };
  const conversation = { ...facts, room, board, position };
  return (
    <div class={input.opened ? "room opened" : "room"}>
      <Guarded {...guard} name="top" class="top">
        <TopBar
          {...facts}
          title={gameName(state, room.game)}
          sub={subtitle(props, board, position)}
        >
          <button
            type="button"
            class="btn flat menu-door"
            aria-label={strings.menu}
            aria-expanded={input.panel === "menu"}
            onClick={() => emit({ type: "panel", inputKey: room.id, panel: "menu" })}
          >
            <Icon name="more" />
          </button>
        </TopBar>
      </Guarded>
      <LinkBar {...facts} />
      <Guarded {...guard} name="board area" class="board-area">
        <Playground props={props} board={board} position={position} area={ref} />
      </Guarded>
      <Guarded {...guard} name="seats" class="seats-frame">
        <Seats {...conversation} room={shownMoment(state, room)} />
      </Guarded>
      <aside class="conversation" aria-label={strings.conversation}>
        <Conversation {...conversation} />
        <Guarded {...guard} name="line" of={input}>
          <LineForm {...conversation} />
        </Guarded>
      </aside>
      <Guarded {...guard} name="panels" of={input}>
        <Dialogs {...facts} />
        {input.panel === "menu" && <Menu {...conversation} />}
      </Guarded>
    </div>
  );
}
