// What every view gets.

import type { Event } from "../state/events.ts";
import type { State } from "../state/state.ts";
import { type Strings, stringsIn } from "../strings/index.ts";

export interface ViewProps {
  readonly state: State;
  readonly emit: (event: Event) => void;
}

/** The words of the page as it is set. */
export function stringsOf(state: State): Strings {
  return stringsIn(state.settings.lang);
}
