// Public facts that the page fetches by plain HTTP before the person has a name.

import type { GameLink, OfferedGame, RoomLink, ServerInfo } from "../protocol/answers.gen.ts";

/** The games of this server. */
export async function fetchGames(): Promise<readonly OfferedGame[]> {
  const answer = await fetch("/about");
  return ((await answer.json()) as ServerInfo).games;
}

/** The public facts about a room; "unknown" if it has none. */
export async function fetchRoom(
  kind: "invite" | "room",
  id: string,
): Promise<RoomLink | "unknown"> {
  const answer = await fetch(`/about/${kind}/${encodeURIComponent(id)}`);
  return ((await answer.json()) as RoomLink | null) ?? "unknown";
}

/** The public facts about a finished game; "unknown" if there are none. */
export async function fetchGameLink(id: string): Promise<GameLink | "unknown"> {
  const answer = await fetch(`/about/game/${encodeURIComponent(id)}`);
  return ((await answer.json()) as GameLink | null) ?? "unknown";
}
