// The coach of a lesson, its step, and what is announced of it.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { Lesson } from "../src/screens/coach.tsx";
import { Log } from "../src/screens/log.tsx";
import { ringed } from "../src/screens/ringed.ts";
import type { RoomView } from "../src/sdk/mirror.ts";
import { withInput } from "../src/state/lineInput.ts";
import { serverEvent } from "../src/state/serverEvents.ts";
import { visitor } from "./visitor.ts";

const room = {
  id: "100",
  view: { room: { lesson: { name: "1_first_round", step: 1, steps: 8 } }, game: {} },
} as unknown as RoomView;

function drawn(wanted: boolean, lang: "en" | "ja" = "en"): string {
  const data = { title: "Take six blocks", text: "Take them.", points: ["take 4"], wanted };
  const answers = { "/learn": { text: "", data } };
  const state = withInput(visitor(lang), room.id, { answers });
  return render(<Lesson state={state} emit={() => undefined} room={room} position={undefined} />);
}

describe("the coach", () => {
  it("says the step, and offers what ends it", () => {
    expect(drawn(true)).toMatch(/role="status"><b>Take six blocks<\/b><p>Take them\.<\/p>/);
    expect(drawn(true)).toMatch(/<small>2 \/ 8<\/small>/);
    expect(drawn(true)).toMatch(/Skip.*Show me/);
    expect(drawn(false)).toMatch(/Skip.*Next/);
    expect(drawn(false, "ja")).toMatch(/終える.*次へ/);
  });

  it("rings places of any id: a kind that begins with a digit is quoted as well", () => {
    expect(ringed(["4th floor"])).toMatch(/\[data-place="4th floor"\].*,\[data-shows="4th"\]$/);
  });
});

it("the coach alone says and announces a step of a lesson; the log has what was played", () => {
  const text = ["Leo takes 3, 3.", "Lesson, step 2 of 8: Take six blocks\nTake them."];
  const events = [{ event: "took" }, { event: "lesson_step" }];
  const update = { type: "updated", room: "100", version: 3, text, events } as const;
  const { session, ...here } = { ...visitor("en"), address: { at: "room", id: room.id } as const };
  const [state, effects] = serverEvent(
    { ...here, session: { ...session, rooms: [room.id] } },
    { ...update, done: undefined } as unknown as Parameters<typeof serverEvent>[1],
    { now: 0 } as Parameters<typeof serverEvent>[2],
  );
  expect(effects.filter(({ type }) => type === "announce")).toEqual([
    { type: "announce", text: "Leo takes 3, 3." },
  ]);
  const log = render(<Log state={state} emit={() => undefined} inputKey="100" />);
  expect(log).toContain("Leo takes 3, 3.");
  expect(log).not.toContain("Take them.");
});
