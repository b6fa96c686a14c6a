// Addresses of the page's screens, and back.

import type { RoomId } from "../sdk/clientEvents.ts";
import type { Address } from "./state.ts";

/** The address of a URL; an unknown one is the start page. */
export function addressOf(path: string, search = ""): Address {
  const [, kind, id = ""] = path.split("/");
  if (kind === "lobby" || kind === "me") return { at: kind };
  if (kind === "u" && id !== "") return { at: "person", name: decodeURIComponent(id) };
  if (kind === "top") return { at: "top", game: decodeURIComponent(id) };
  if (kind === "room" && id !== "") return { at: "room", id: decodeURIComponent(id) as RoomId };
  if (kind === "game" && id !== "") {
    return { at: "game", id: decodeURIComponent(id), move: moveOf(search) };
  }
  if (kind === "r" && id !== "") return { at: "invite", token: decodeURIComponent(id) };
  return { at: "start" };
}

/** The step in an address of a replay. */
function moveOf(search: string): number | undefined {
  const move = /[?&]move=(\d{1,6})(?:&|$)/.exec(search)?.[1];
  return move === undefined ? undefined : Number(move);
}

/** The URL of an address. */
export function pathOf(address: Address): string {
  switch (address.at) {
    case "start":
      return "/";
    case "lobby":
    case "me":
      return `/${address.at}`;
    case "person":
      return `/u/${encodeURIComponent(address.name)}`;
    case "top":
      return `/top/${encodeURIComponent(address.game)}`;
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

/** Whether two addresses are equal. */
export function sameAddress(a: Address, b: Address): boolean {
  return pathOf(a) === pathOf(b);
}
