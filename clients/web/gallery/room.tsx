// A recorded position in the whole screen of a room: for the layout in windows of every size.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GameBody, Lang } from "../src/board/contract.ts";
import type { ServerMessage } from "../src/protocol/messages.gen.ts";
import { App } from "../src/screens/app.tsx";
import { crc } from "../src/sdk/checksum.ts";
import type { RoomId } from "../src/sdk/clientEvents.ts";
import type { Tree } from "../src/sdk/tree.ts";
import type { Event } from "../src/state/events.ts";
import { guardedStep } from "../src/state/faults.ts";
import { withInput } from "../src/state/lineInput.ts";
import { type Item, initialState, type State } from "../src/state/state.ts";
import "../src/style/lobby.css";
import "../src/style/page.css";
import "../src/style/conversation.css";

interface RecordedRoom {
  readonly version: number;
  readonly eyes: readonly number[];
  readonly view: { readonly room: { readonly id: string }; readonly game?: unknown };
  readonly moves: Readonly<Record<string, readonly string[]>>;
  readonly log: readonly { readonly version: number; readonly text: unknown }[];
}

const COMMANDS = ["undo", "hint", "moves", "invite", "rules", "leave"];

function item(name: string): Item {
  return { kind: "command", name, names: [name], usage: `/${name}`, help: "" };
}

/** The frames of a server that has the game at this position. */
function framesOf(game: GameBody, recorded: RecordedRoom, lang: Lang): readonly ServerMessage[] {
  const { view, version, eyes } = recorded;
  const frames: readonly unknown[] = [
    {
      type: "welcome",
      protocol: 1,
      person: "p",
      name: "Ayu",
      token: "t",
      lang,
      server: "",
      now: 0,
    },
    { type: "game", key: game.key, hash: "h", body: game },
    {
      type: "room",
      room: 1,
      id: view.room.id,
      game: game.key,
      hash: "h",
      version,
      view,
      sum: crc(view as unknown as Tree),
      eyes,
      log: [],
    },
    ...Object.entries(recorded.moves).map(([seat, lines]) => ({
      type: "moves",
      room: 1,
      version,
      seat: Number(seat),
      lines,
    })),
  ];
  return frames as readonly ServerMessage[];
}

function stateOf(game: GameBody, recorded: RecordedRoom, lang: Lang, touch: boolean): State {
  const id = recorded.view.room.id as RoomId;
  const settings = {
    lang,
    theme: "system",
    sending: "ask",
    sound: false,
    notify: false,
    letters: true,
  } as const;
  const stored = { settings, name: "Ayu", token: undefined, past: [], texts: {} };
  const opened = initialState(stored, { at: "room", id }, "p", 0);
  const context = { now: 0, fresh: "00", touch };
  const shown = framesOf(game, recorded, lang).reduce(
    (state, message) => guardedStep(state, { type: "frame", message }, context)[0],
    opened,
  );
  const { session } = shown;
  const inside = { ...shown, session: { ...session, rooms: [id] } };
  return withInput(inside, id, { catalogue: COMMANDS.map(item), stale: false });
}

/** The page as it is; what it would send to a server goes nowhere. */
export function RecordedRoom(props: {
  readonly game: GameBody;
  readonly recorded: RecordedRoom;
  readonly lang: Lang;
  readonly touch: boolean;
}): VNode {
  const { touch } = props;
  const [state, setState] = useState(() => stateOf(props.game, props.recorded, props.lang, touch));
  const emit = (event: Event): void =>
    setState((now) => guardedStep(now, event, { now: 0, fresh: "00", touch })[0]);
  return <App state={state} emit={emit} touch={touch} />;
}
