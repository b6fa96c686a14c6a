// The props of every view.

import type { Event } from "../state/events.ts";
import type { State } from "../state/state.ts";
import { type Strings, stringsIn } from "../strings/index.ts";

export interface ViewProps {
  readonly state: State;
  readonly emit: (event: Event) => void;
}

/** The strings of the page in the current language. */
export function stringsOf(state: State): Strings {
  return stringsIn(state.settings.lang);
}
