// Where one is, as an address and back.

import type { RoomId } from "../sdk/happenings.ts";
import type { Place } from "./state.ts";

/** The place that an address names; anything unknown is the start. */
export function placeOf(path: string): Place {
  const [, kind, id = ""] = path.split("/");
  if (kind === "lobby") return { at: "lobby" };
  if (kind === "room" && id !== "") return { at: "room", id: decodeURIComponent(id) as RoomId };
  if (kind === "r" && id !== "") return { at: "invite", token: decodeURIComponent(id) };
  return { at: "start" };
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
  }
}

/** Whether two places are the same. */
export function samePlace(a: Place, b: Place): boolean {
  return pathOf(a) === pathOf(b);
}
