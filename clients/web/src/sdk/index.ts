// What the npm package has: the client, and the parts it is made of, which do no I/O.

export type { LobbyRow } from "../protocol/answers.gen.ts";
export * from "../protocol/codec.ts";
export type * from "../protocol/messages.gen.ts";
export type { Table } from "../protocol/table.gen.ts";
export { Client, NotAnswered } from "./client.ts";
export type * from "./clientEvents.ts";
export { type Mirror, MirrorError, myTurnOf, type RoomView, type SeatMoves } from "./mirror.ts";
export * as session from "./session.ts";
export type { Branch, Tree } from "./tree.ts";
