// Where one is, as an address and back.

import type { RoomId } from "../sdk/clientEvents.ts";
import type { Place } from "./state.ts";

/** The place that an address names; anything unknown is the start. */
export function placeOf(path: string, search = ""): Place {
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
  const found = /[?&]move=(\d{1,6})(?:&|$)/.exec(search)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The address of a place. */
export function pathOf(place: Place): string {
  switch (place.at) {
    case "start":
      return "/";
    case "lobby":
      return "/lobby";
    case "room":
      return `/room/${encodeURIComponent(place.id)}`;
    case "invite":
      return `/r/${encodeURIComponent(place.token)}`;
    case "game": {
      const step = place.move === undefined ? "" : `?move=${place.move}`;
      return `/game/${encodeURIComponent(place.id)}${step}`;
    }
  }
}

/** Whether two places are the same. */
export function samePlace(a: Place, b: Place): boolean {
  return pathOf(a) === pathOf(b);
}
