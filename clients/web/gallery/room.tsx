// A recorded position in the whole screen of a room: for the layout in windows of every size.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GameBody, Lang } from "../src/board/contract.ts";
import type { Item } from "../src/protocol/answers.gen.ts";
import type { ServerMessage } from "../src/protocol/messages.gen.ts";
import { App } from "../src/screens/app.tsx";
import { crc } from "../src/sdk/checksum.ts";
import type { RoomId } from "../src/sdk/clientEvents.ts";
import type { Tree } from "../src/sdk/tree.ts";
import type { Event } from "../src/state/events.ts";
import { guardedStep } from "../src/state/faults.ts";
import { withInput } from "../src/state/lineInput.ts";
import { initialState, type State } from "../src/state/state.ts";
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

/** A vote that waits for the seats of a game, a tip of the coach, and a refusal. */
const VOTE = { kind: "pause", by: "Ben", voters: [0, 1, 2], yes: [], no: [], deadline: 60_000 };
const TIP = { key: "tip", kind: "note", code: "coach", version: 0, at: 0 } as const;
const TIPS = {
  en: "Take the pieces for this round: press one in your tray, then the place where it stands.",
  ja: "このラウンドのコマを取ります。手元のコマを押し、次に置く場所を押してください。",
} as const;
const REFUSALS = {
  en: "There is no command /bord here. Did you mean /board?",
  ja: "/bordというコマンドはここにはありません。/boardですか？",
} as const;

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

interface RoomProps {
  readonly game: GameBody;
  readonly recorded: RecordedRoom;
  readonly lang: Lang;
  readonly touch: boolean;
  /** With a vote, a tip and a refusal. */
  readonly busy: boolean;
}

function withVote(recorded: RecordedRoom): RecordedRoom {
  const room = { ...recorded.view.room, votes: { 3: VOTE } };
  return { ...recorded, view: { ...recorded.view, room } };
}

function stateOf(props: RoomProps): State {
  const { game, lang, touch, busy } = props;
  const recorded = busy ? withVote(props.recorded) : props.recorded;
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
  const ready = withInput(inside, id, { catalogue: COMMANDS.map(item), stale: false });
  if (!busy) return ready;
  const refusal = { code: "unknown", text: REFUSALS[lang], line: "/bord", candidates: [] };
  return withInput(ready, id, { tip: { ...TIP, lang, text: TIPS[lang] }, refusal });
}

/** The page as it is; what it would send to a server goes nowhere. */
export function RecordedRoom(props: RoomProps): VNode {
  const { touch } = props;
  const [state, setState] = useState(() => stateOf(props));
  const emit = (event: Event): void =>
    setState((now) => guardedStep(now, event, { now: 0, fresh: "00", touch })[0]);
  return <App state={state} emit={emit} touch={touch} />;
}
