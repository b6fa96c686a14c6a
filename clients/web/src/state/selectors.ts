// Values derived from the state.

import type { Area, GameBody, Lang, Position, Seat } from "../board/contract.ts";
import { positionOf } from "../board/position.ts";
import type { LobbyRow } from "../protocol/answers.gen.ts";
import type { Table, Vote } from "../protocol/table.gen.ts";
import type { RoomId } from "../sdk/clientEvents.ts";
import { myTurnOf, type RoomView } from "../sdk/mirror.ts";
import { isBranch } from "../sdk/tree.ts";
import { inputOf } from "./lineInput.ts";
import type { Moment } from "./replay.ts";
import type { Hint, LineInput, LogLine, State } from "./state.ts";

/** A room as listed in the lobby, with its number. */
export interface Row extends LobbyRow {
  readonly id: string;
}

/** The table of a mirrored room. */
export function tableOf(room: RoomView): Table {
  return room.view.room;
}

/** How many moves late a spectator sees the game; 0: without delay. */
export function delayOf(room: RoomView): number {
  const { phase, options } = tableOf(room);
  const watched = room.eyes.length === 0 && (phase === "playing" || phase === "paused");
  return watched ? Number.parseInt(options.watchdelay ?? "", 10) || 0 : 0;
}

/** A game's static data, once they have arrived. */
export function bodyOf(state: State, key: string): GameBody | undefined {
  return state.session.mirror.games[key]?.body as GameBody | undefined;
}

/** The room that is shown, if we are in it. */
export function currentRoom(state: State): RoomView | undefined {
  return state.address.at === "room" ? state.session.mirror.rooms[state.address.id] : undefined;
}

/** The moment shown by a replay; undefined: the present. */
export function pastOf(state: State, key: string): Moment | undefined {
  const replay = state.replays[key];
  return replay?.moments[replay.shown];
}

/** The replay on the screen, by its key: of a finished game, or of the room. */
export function replayOnScreen(state: State): string | undefined {
  const { address } = state;
  const key = address.at === "game" ? `game ${address.id}` : currentRoom(state)?.id;
  return key !== undefined && state.replays[key] !== undefined ? key : undefined;
}

/** The room that I am in, and in which a game was played last. */
export function roomOfGame(state: State, game: string): RoomView | undefined {
  return Object.values(state.session.mirror.rooms).find((room) => tableOf(room).game_id === game);
}

/** A room as it is shown: at present, or at a moment of its replay. */
export function shownMoment(state: State, room: RoomView): RoomView {
  const past = pastOf(state, room.id);
  return past === undefined ? room : { ...room, view: past.view };
}

/** A line in the input of a seat, among some that count as legal. */
export interface Trial {
  readonly seat: Seat;
  readonly text: string;
  readonly moves: readonly string[];
}

/** The position of a finished game's board, once its data have arrived; with a line in the input. */
export function replayPosition(
  state: State,
  key: string,
  area: Area,
  trial?: Trial,
): Position | undefined {
  const replay = state.replays[key];
  const moment = pastOf(state, key);
  const game = replay === undefined ? undefined : bodyOf(state, replay.game);
  if (replay === undefined || moment === undefined || game === undefined) return undefined;
  const seat = trial?.seat ?? replay.seat ?? replay.eyes[0];
  const input = inputOf(state, key);
  return positionOf({
    game,
    view: moment.view,
    // All hands are open; the board draws one of them as its own.
    eyes: seat === undefined ? [] : [seat],
    moves: trial === undefined ? {} : { [trial.seat]: trial.moves },
    text: trial?.text ?? "",
    since: moment.events,
    lang: state.settings.lang,
    look: input.look,
    answers: {},
    area,
  });
}

type Answers = Position["answers"];

/** Answers drawn by the frame of every board: a step of a lesson, the text about a place. */
const OF_FRAME = /^\/(learn$|look .* about$)/;
const answersOfBoards = new WeakMap<Answers, Answers>();

/** The answers for a board itself; the same object as long as nothing has arrived. */
export function boardAnswers(answers: Answers): Answers {
  let shown = answersOfBoards.get(answers);
  if (shown === undefined) {
    shown = Object.fromEntries(Object.entries(answers).filter(([line]) => !OF_FRAME.test(line)));
    answersOfBoards.set(answers, shown);
  }
  return shown;
}

/** The position of a room's board; undefined until the game's data have arrived. */
export function positionAt(state: State, key: string, area: Area): Position | undefined {
  const room = state.session.mirror.rooms[key];
  if (room === undefined) return undefined;
  const game = bodyOf(state, room.game);
  if (game === undefined || room.view.game === undefined) return undefined;
  const input = inputOf(state, key);
  const past = pastOf(state, key);
  const view = past?.view ?? room.view;
  const moves = Object.entries(room.moves).map(([seat, { lines }]) => [seat, lines] as const);
  return positionOf({
    game,
    view,
    eyes: room.eyes,
    // No moves while the table is paused, or in a replay.
    moves: past === undefined && tableOf(room).phase === "playing" ? Object.fromEntries(moves) : {},
    text: input.text,
    since: past?.events ?? input.since,
    lang: state.settings.lang,
    look: input.look,
    answers: boardAnswers(input.answers),
    area,
  });
}

/** Whether a room waits for my move. */
export function isMyTurn(state: State): boolean {
  return Object.values(state.session.mirror.rooms).some(
    (room) => tableOf(room).phase === "playing" && myTurnOf(room).length > 0,
  );
}

/** The shown page of the room list, newest first. */
export function rowsOf(state: State): readonly Row[] {
  const { rooms, order } = state.session.mirror.lobby;
  if (!isBranch(rooms) || !Array.isArray(order)) return [];
  return order
    .map((id) => ({ id: String(id), row: rooms[String(id)] }))
    .filter(({ row }) => isBranch(row))
    .map(({ id, row }) => ({ ...(row as LobbyRow), id }));
}

/** The number of rooms in the list, and of its pages. */
export function listSize(state: State): { readonly total: number; readonly pages: number } {
  const { total, pages } = state.session.mirror.lobby;
  return { total: Number(total ?? 0), pages: Number(pages ?? 1) };
}

/** How far I have learnt a game. */
interface Ahead {
  /** Which lesson is next, in words; empty: none is. */
  readonly label: string;
  readonly begun: boolean;
}

/** How far I have learnt the chosen game; undefined until the server has said it. */
export function aheadOf({ requests, choice }: State): Ahead | undefined {
  const games = requests["/learn"]?.body?.data as Readonly<Record<string, Ahead>> | undefined;
  return games?.[choice];
}

/** A game's name; its key until the name has arrived. */
export function gameName(state: State, key: string): string {
  const match = state.games.find((game) => game.key === key) ?? bodyOf(state, key);
  return match?.name[state.settings.lang] ?? key;
}

/** The server's time. */
export function serverNow(state: State): number {
  return state.now + state.skew;
}

/** Whether something on the screen counts down, so that the page has to be drawn each second. */
export function hasCountdown(state: State): boolean {
  if (state.link.phase === "waiting" || state.script?.resumesAt !== undefined) return true;
  const room = currentRoom(state);
  if (room === undefined) return false;
  const table = tableOf(room);
  const clocks = Object.values(table.seats).some((chair) => chair.deadline !== undefined);
  return clocks || Object.keys(table.votes).length > 0;
}

/** My seats in a room that may vote. */
export function votesForMe(room: RoomView): readonly (readonly [string, Vote])[] {
  return Object.entries(tableOf(room).votes).filter(([, vote]) =>
    vote.voters.some(
      (seat) => room.eyes.includes(seat) && !vote.yes.includes(seat) && !vote.no.includes(seat),
    ),
  );
}

/** The seat of a name at a table. */
export function seatNamed(table: Table, name: string): Seat | undefined {
  const match = Object.entries(table.seats).find(([, chair]) => chair.name === name);
  return match === undefined ? undefined : Number(match[0]);
}

/** The hint that is shown: its line is in the input, and nothing was played since. */
export function shownHint(input: LineInput): Hint | undefined {
  const { hint, text, moved } = input;
  return hint !== undefined && hint.line === text && hint.moved === moved ? hint : undefined;
}

/** What the coach has said since my last move, in the language of the page. */
export function coachTip({ settings }: State, { tip, moved }: LineInput): LogLine | undefined {
  return tip && tip.version >= moved && tip.lang === settings.lang ? tip : undefined;
}

/** Whether a log line is newer than my last move. */
export function isNew(line: LogLine, moved: number): boolean {
  return line.kind === "event" && moved > 0 && line.version > moved;
}

/** The other language. */
export function otherLang(lang: Lang): Lang {
  return lang === "en" ? "ja" : "en";
}

/** Whether an id is that of a room that we are in. */
export function isIn(state: State, id: RoomId): boolean {
  return state.session.rooms.includes(id);
}
