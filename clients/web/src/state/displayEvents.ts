// Events of what is shown: panels, replays, settings, copies, faults.

import { stringsIn } from "../strings/index.ts";
import type { Context, Effect, Handlers, StepResult } from "./events.ts";
import { currentInputKey, inputOf, roomOfInput, withInput } from "./lineInput.ts";
import { chooseLine } from "./lineSubmit.ts";
import { ask } from "./queries.ts";
import * as replaySteps from "./replaySteps.ts";
import { forgetAnswers, request } from "./requests.ts";
import type { State } from "./state.ts";

export const displayEvents = {
  look_changed: (state, event) => {
    const look = { ...inputOf(state, event.inputKey).look, ...event.look };
    return [withInput(state, event.inputKey, { look }), []];
  },
  panel: (state, event) => {
    const { panel } = inputOf(state, event.inputKey);
    const next = panel === event.panel ? "none" : event.panel;
    return [withInput(state, event.inputKey, { panel: next }), []];
  },
  opened: (state, event) => [withInput(state, event.inputKey, { opened: event.opened }), []],
  as_text: (state, event) => {
    const after = withInput(state, event.inputKey, { asText: event.asText });
    return [after, []];
  },
  replay_toggled: (state, event) =>
    event.on
      ? replaySteps.openReplay(state, event.inputKey, replaySteps.NEWEST)
      : [replaySteps.closeReplay(state, event.inputKey), []],
  replayed: (state, event) => replaySteps.goToStep(state, event.key, event.to),
  replay_played: (state, event) => replaySteps.setAutoplay(state, event.key, event.playing),
  replay_speed: (state, event) => [replaySteps.setSpeed(state, event.key, event.speed), []],
  replay_seat: (state, event) => [replaySteps.chooseSeat(state, event.key, event.seat), []],
  result_hidden: (state, event) => [
    withInput(state, event.inputKey, { putAway: event.putAway }),
    [],
  ],
  download_requested: (state, event) => {
    const room = roomOfInput(event.inputKey);
    if (room === undefined) return [state, []];
    const what = event.paper === "record" ? "record" : "history";
    return ask(state, what, {}, { about: event.paper, room }, room);
  },
  requested: (state, event) => request(state, event),
  copied: (state, event) => [state, [{ type: "copy", text: event.text }]],
  copy_ended: (state, event) => {
    const { text, done } = event;
    const announcement = stringsIn(state.settings.lang)[done ? "copied" : "copyYourself"];
    return [{ ...state, copied: { text, done } }, [{ type: "announce", text: announcement }]];
  },
  copy_dismissed: (state) => [{ ...state, copied: undefined }, []],
  set: (state, event, context) => {
    const settings = { ...state.settings, ...event.settings };
    const storing: Effect[] = [{ type: "store", key: "settings", value: settings }];
    if (event.settings.notify) storing.push({ type: "permit" });
    const [after, effects] = languageChanged({ ...state, settings }, state, context);
    return [after, [...storing, ...effects]];
  },
  /** A section of the page could not be drawn, and shows an error in its place. */
  drawing_failed: (state, { where, why }) => [
    { ...state, fault: { where, why } },
    [{ type: "log", text: `${where}: ${why}` }],
  ],
  fault_dismissed: (state) => [{ ...state, fault: undefined }, []],
  reloaded: (state) => [state, [{ type: "reload" }]],
} satisfies Partial<Handlers>;

/** Another language: the server gets the same line that a person could type. */
function languageChanged(state: State, before: State, context: Context): StepResult<State> {
  const { lang } = state.settings;
  if (lang === before.settings.lang) return [state, []];
  const langs = lang === "ja" ? (["ja", "en"] as const) : (["en", "ja"] as const);
  const session = { ...state.session, hello: { ...state.session.hello, langs } };
  const after = forgetAnswers({ ...state, session });
  if (!session.welcomed) return [after, []];
  return chooseLine(after, currentInputKey(after), `/lang ${lang}`, context);
}
