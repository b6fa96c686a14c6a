// What every view gets.

import type { Event } from "../state/events.ts";
import type { State } from "../state/state.ts";
import { type Words, wordsIn } from "../words/index.ts";

export interface ViewProps {
  readonly state: State;
  readonly emit: (event: Event) => void;
}

/** The words of the page as it is set. */
export function said(state: State): Words {
  return wordsIn(state.settings.lang);
}

/** What a board says in words may come from the view of a game that has just changed: a bug in
 * them must not take the page down. */
export function safely<T>(make: () => T, otherwise: T): T {
  try {
    return make();
  } catch {
    return otherwise;
  }
}
