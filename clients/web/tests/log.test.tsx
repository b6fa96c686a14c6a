// Which lines of a log are drawn.

import { render } from "preact-render-to-string";
import { expect, it } from "vitest";
import { Log } from "../src/screens/log.tsx";
import type { ClientEvent } from "../src/sdk/clientEvents.ts";
import type { RoomView } from "../src/sdk/mirror.ts";
import { inputOf, withInput } from "../src/state/lineInput.ts";
import { coachTip } from "../src/state/selectors.ts";
import { serverEvent } from "../src/state/serverEvents.ts";
import { LOBBY, type LogLine } from "../src/state/state.ts";
import { visitor } from "./visitor.ts";

function drawn(count: number): string {
  const log = Array.from(
    { length: count },
    (_, at): LogLine => ({ key: `${at}`, kind: "event", version: at, at: 0, text: `line ${at}.` }),
  );
  const state = withInput(visitor("en"), LOBBY, { log });
  return render(<Log state={state} emit={() => undefined} inputKey={LOBBY} />);
}

it.each([
  [80, undefined],
  [81, "1 older line"],
  [600, "520 older lines"],
])("of %i lines the newest 80 are drawn, the others on demand", (count, offer) => {
  const shown = drawn(count);
  expect(shown.match(/log-line/g)).toHaveLength(80);
  expect(shown).toContain(`line ${count - 1}.`);
  expect(/<button[^>]*older[^>]*>(.*?)<\/button>/.exec(shown)?.[1]).toBe(offer);
});

function note(text: string, code: string, sent?: string): string {
  const log: readonly LogLine[] = [{ key: "a", kind: "note", version: 1, at: 0, text, code, sent }];
  const state = withInput(visitor("en"), LOBBY, { log });
  return render(<Log state={state} emit={() => undefined} inputKey={LOBBY} />);
}

it("an invitation has a button that goes there, other notes with a line have none", () => {
  expect(note("Ayu invites you. Type: /room 12", "invited", "/room 12")).toContain(
    ">Enter</button>",
  );
  expect(note("Best: /take 1", "hint", "/take 1")).not.toContain("<button");
});

it.each([
  ["1: Ayu     12\n2: Ken      3", true],
  ["┌──┐\n│A│", true],
  ["What you may use:\n  /help - all commands", false],
])("a table or a drawing has a monospaced font, sentences have not: %j", (text, mono) => {
  expect(note(text, "look").includes('class="mono"')).toBe(mono);
});

it("a tip of the coach stays until the next move, also once its line of the log is cut", () => {
  const room: RoomView = { id: "12" } as unknown as RoomView;
  const note = (code: string, at: number) =>
    ({ type: "noted", room: room.id, code, text: `${code} ${at}` }) as unknown as ClientEvent;
  let state = visitor("en");
  const hear = (event: ClientEvent): void => {
    [state] = serverEvent(state, event, { now: 0, fresh: "", touch: false });
  };
  hear(note("coach", 0));
  for (let at = 0; at < 700; at += 1) hear(note("note", at));
  const input = inputOf(state, "12");
  expect(input.log.some(({ code }) => code === "coach")).toBe(false);
  expect(coachTip(state, input)?.text).toBe("coach 0");
  expect(coachTip(state, { ...input, moved: 1 })).toBeUndefined();
});
