// Downloads: the record (for programs), the minutes (for people).

import type { History } from "../protocol/answers.gen.ts";
import type { RoomId } from "../sdk/clientEvents.ts";
import type { Branch } from "../sdk/tree.ts";
import { stringsIn } from "../strings/index.ts";
import type { StepResult } from "./events.ts";
import { gameName, tableOf } from "./selectors.ts";
import type { State } from "./state.ts";

/** The name of the file: the game, and the id of this game on the server. */
function fileName(state: State, room: RoomId, ending: string): string {
  const mirrored = state.session.mirror.rooms[room];
  const id = mirrored === undefined ? room : tableOf(mirrored).game_id;
  return `${mirrored?.game ?? "bluebear"}-${id}.${ending}`;
}

/** The server's record of the game, as a file. */
export function recordArrived(state: State, room: RoomId, body: Branch): StepResult<State> {
  const text = String(body.text ?? "");
  return [state, [{ type: "save", name: fileName(state, room, "record"), text }]];
}

/** The log of the table as readable text: the seats, the events with their times, the result. */
export function minutesOf(state: State, room: RoomId, body: Branch): string {
  const { lang } = state.settings;
  const strings = stringsIn(lang);
  const mirrored = state.session.mirror.rooms[room];
  if (mirrored === undefined) return "";
  const table = tableOf(mirrored);
  const seats = Object.keys(table.seats);
  const when = new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" });
  const clock = new Intl.DateTimeFormat(lang, { timeStyle: "short" });
  const { lines } = body as unknown as History;
  const first = lines[0];
  const head = [
    `${gameName(state, mirrored.game)} · ${strings.room(mirrored.id)}`,
    ...(first === undefined ? [] : [when.format(first.at)]),
    ...seats.map((seat) => `  ${seat}. ${table.seats[seat]?.name ?? ""}`),
  ];
  let last = "";
  const timeline = lines.map(({ at, text }) => {
    const time = clock.format(at);
    const shown = time === last ? " ".repeat(time.length) : time;
    last = time;
    return `${shown}  ${text}`;
  });
  return `${[...head, "", ...timeline].join("\n")}\n`;
}

/** The minutes of the game, as a file. */
export function minutesArrived(state: State, room: RoomId, body: Branch): StepResult<State> {
  const text = minutesOf(state, room, body);
  return [state, [{ type: "save", name: fileName(state, room, "txt"), text }]];
}
