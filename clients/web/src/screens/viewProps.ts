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

/** Why the lines of a script wait, and for how long; undefined if they do not. */
export function resumeText(state: State): string | undefined {
  const { script, now } = state;
  if (script?.resumesAt === undefined) return undefined;
  const seconds = Math.max(1, Math.ceil((script.resumesAt - now) / 1000));
  return stringsOf(state).resumesIn(seconds, script.why === "password_wait");
}
