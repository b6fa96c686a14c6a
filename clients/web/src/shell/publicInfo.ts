// What the page asks by plain HTTP before anybody has a name.

import type { GameAbout, RoomAbout, StoryAbout } from "../state/state.ts";

/** The games of this server. */
export async function learnGames(): Promise<readonly GameAbout[]> {
  const answer = await fetch("/about");
  const found = (await answer.json()) as { readonly games: readonly GameAbout[] };
  return found.games;
}

/** What a room says of itself; "unknown" where it says nothing. */
export async function learnRoom(
  kind: "invite" | "room",
  id: string,
): Promise<RoomAbout | "unknown"> {
  const answer = await fetch(`/about/${kind}/${encodeURIComponent(id)}`);
  return ((await answer.json()) as RoomAbout | null) ?? "unknown";
}

/** What a finished game says of itself; "unknown" where it says nothing. */
export async function learnStory(id: string): Promise<StoryAbout | "unknown"> {
  const answer = await fetch(`/about/game/${encodeURIComponent(id)}`);
  return ((await answer.json()) as StoryAbout | null) ?? "unknown";
}
