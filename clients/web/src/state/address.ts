// Where one is, as an address and back.

import type { RoomId } from "../sdk/clientEvents.ts";
import type { Address } from "./state.ts";

/** The place that an address names; anything unknown is the start. */
export function addressOf(path: string, search = ""): Address {
  const [, kind, id = ""] = path.split("/");
  if (kind === "lobby") return { at: "lobby" };
  if (kind === "room" && id !== "") return { at: "room", id: decodeURIComponent(id) as RoomId };
  if (kind === "game" && id !== "") {
    return { at: "game", id: decodeURIComponent(id), move: moveOf(search) };
  }
  if (kind === "r" && id !== "") return { at: "invite", token: decodeURIComponent(id) };
  return { at: "start" };
}

/** The step that an address names. */
function moveOf(search: string): number | undefined {
  const move = /[?&]move=(\d{1,6})(?:&|$)/.exec(search)?.[1];
  return move === undefined ? undefined : Number(move);
}

/** The address of a place. */
export function pathOf(address: Address): string {
  switch (address.at) {
    case "start":
      return "/";
    case "lobby":
      return "/lobby";
    case "room":
      return `/room/${encodeURIComponent(address.id)}`;
    case "invite":
      return `/r/${encodeURIComponent(address.token)}`;
    case "game": {
      const step = address.move === undefined ? "" : `?move=${address.move}`;
      return `/game/${encodeURIComponent(address.id)}${step}`;
    }
  }
}

/** Whether two places are the same. */
export function sameAddress(a: Address, b: Address): boolean {
  return pathOf(a) === pathOf(b);
}
