// Document title and favicon badge; the badge shows that it is the player's turn.

import { currentRoom, gameName, isMyTurn } from "../state/selectors.ts";
import type { State } from "../state/state.ts";
import { stringsIn } from "../strings/index.ts";

/** The title of the tab. */
export function titleOf(state: State): string {
  const strings = stringsIn(state.settings.lang);
  const room = currentRoom(state);
  const name = room === undefined ? "BlueBear" : strings.title(gameName(state, room.game));
  const waiting = state.lobby.myRooms.filter(({ turn }) => turn).length;
  if (state.address.at === "me" && waiting > 0) return `(${waiting}) ${name}`;
  return isMyTurn(state) ? `● ${name}` : name;
}

const ICON = "/icon.svg";
const ICON_TURN = "/icon-turn.svg";

/** Write title and icon, if they differ. */
export function showTitleBadge(state: State): void {
  const title = titleOf(state);
  if (document.title !== title) document.title = title;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const address = isMyTurn(state) ? ICON_TURN : ICON;
  if (icon !== null && icon.getAttribute("href") !== address) icon.href = address;
}

/** Set the language and colours of the document. */
export function applyTheme(state: State): void {
  const root = document.documentElement;
  const { lang, theme } = state.settings;
  if (root.lang !== lang) root.lang = lang;
  if (theme === "system") {
    if (root.dataset.theme !== undefined) delete root.dataset.theme;
  } else if (root.dataset.theme !== theme) root.dataset.theme = theme;
}
