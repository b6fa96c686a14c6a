// Keys that act wherever the focus is; and typing, which always goes into the line.

import { globalKey, isTyping, type Pressed, replaySteps } from "../keys/table.ts";
import type { Event } from "../state/events.ts";
import { currentInputKey } from "../state/lineInput.ts";
import { replayOnScreen } from "../state/selectors.ts";
import type { State } from "../state/state.ts";

/** The areas that F6 steps through, by their ids. */
const AREAS = ["line", "board", "tools", "seats"];

/** Whether the focused element has a use for the key: an empty line has none for Escape. */
function isTaken({ key, target, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  const isLine = target instanceof Element && target.id === "line" && key === "Escape";
  return defaultPrevented || isComposing || (isField(target) && !isLine);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea, dialog *");
}

function nextArea(back: boolean): void {
  const areas = AREAS.map((id) => document.getElementById(id)).filter((area) => area !== null);
  const at = areas.findIndex((area) => area.contains(document.activeElement));
  const next = areas[(at + (back ? areas.length - 1 : 1)) % areas.length];
  const inside = next?.matches("input")
    ? next
    : (next?.querySelector<HTMLElement>('[data-place][tabindex="0"]') ??
      next?.querySelector<HTMLElement>('[tabindex="0"], button:not(:disabled)'));
  (inside ?? next)?.focus();
}

/** The event of a key of a replay: a step, play or stop; undefined: the key means something else. */
export function replayEvent(state: State, pressed: Pressed): Event | undefined {
  const steps = replaySteps(pressed);
  const key = replayOnScreen(state);
  const replay = key === undefined ? undefined : state.replays[key];
  if (steps === undefined || key === undefined || replay === undefined) return undefined;
  if (steps === 0) return { type: "replay_played", key, playing: !replay.playing };
  const to = Math.min(Math.max(replay.at + steps, 0), replay.steps);
  return { type: "replayed", key, to };
}

/** Listen for the keys of the whole page. */
export function listenForKeys(now: () => State, emit: (event: Event) => void): void {
  addEventListener("keydown", (event) => {
    const state = now();
    const inputKey = currentInputKey(state);
    const meaning = globalKey(event);
    if (meaning !== undefined) {
      event.preventDefault();
      if (meaning === "areas" || meaning === "areas back") nextArea(meaning === "areas back");
      else emit({ type: "line_chosen", inputKey, text: `/${meaning}` });
      return;
    }
    if (isTaken(event)) return;
    // A button has its own Space, a place of a board its own arrows.
    const onControl =
      event.target instanceof Element && event.target.closest("button, a, [data-place]");
    const replaying = onControl ? undefined : replayEvent(state, event);
    if (replaying !== undefined) {
      event.preventDefault();
      return emit(replaying);
    }
    const onBoard = event.target instanceof Element && event.target.closest(".board-root") !== null;
    if (onBoard && event.key === "?") {
      event.preventDefault();
      emit({ type: "panel", inputKey, panel: "keys" });
    } else if (event.key === "Escape") {
      const clear = (): void => emit({ type: "typed", inputKey, text: "" });
      import("./closeTop.ts").then(({ closeTop }) => closeTop() || clear(), clear);
    } else if (isTyping(event) && event.key !== " ") {
      // The letter itself goes to the element that has the focus by then.
      document.getElementById("line")?.focus();
    }
  });
}
