// A person who has opened the page and done nothing yet.

import type { Lang } from "../src/board/contract.ts";
import { initialState, type State } from "../src/state/state.ts";

export function visitor(lang: Lang, name = ""): State {
  const settings = {
    lang,
    theme: "system",
    sending: "auto",
    sound: false,
    notify: false,
    letters: true,
  } as const;
  const stored = { settings, name, token: undefined, past: [], texts: {} };
  return initialState(stored, { at: "start" }, "p", 0);
}
