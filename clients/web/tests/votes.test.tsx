// The text of a vote's card, also for a kind that only a later server has.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { Vote } from "../src/protocol/table.gen.ts";
import { Votes } from "../src/screens/votes.tsx";
import type { RoomView } from "../src/sdk/mirror.ts";
import { withInput } from "../src/state/lineInput.ts";
import type { LogLine } from "../src/state/state.ts";
import { visitor } from "./visitor.ts";

const KINDS = {
  undo: "Ren asks to take back",
  remove: "Ren asks for a bot in the seat of Ayu",
  seat: "Ren asks for the free seat",
  pause: "Ren suggests a pause",
  masterreset: "Ren suggests to stop the game",
  kick: "Ren asks to send Ayu out of the game",
} satisfies Readonly<Record<Vote["kind"], string>>;

function card(kind: string, log: readonly LogLine[] = []): string {
  const vote = { kind, by: "Ren", voters: [1, 2], yes: [], no: [], deadline: 9000, seat: 1 };
  const seats = { 1: { name: "Ayu", human: true }, 2: { name: "Ben", human: true } };
  const room = { id: "1", view: { room: { seats, votes: { 7: vote } } }, eyes: [1] };
  const shown = render(
    <Votes
      state={withInput(visitor("en", "Ayu"), "1", { log })}
      emit={() => undefined}
      room={room as unknown as RoomView}
      inputKey="1"
    />,
  );
  expect(shown.match(/<button/g)).toHaveLength(2);
  return /<b>(.*?)<\/b>/.exec(shown)?.[1] ?? "";
}

function logLine(number: number, text: string): LogLine {
  const event = { event: "vote_opened", number };
  return { key: text, kind: "event", version: 3, at: 0, text, event };
}

describe("a vote", () => {
  it.each(Object.entries(KINDS))("to %s says what is asked, and has two buttons", (kind, says) => {
    expect(card(kind)).toBe(says);
  });

  it("of a kind that the page does not know is told in the server's words", () => {
    const log = [logLine(6, "Vote 6: another one."), logLine(7, "Vote 7: Ren would like tea.")];
    expect(card("tea", log)).toBe("Vote 7: Ren would like tea.");
  });

  it("of such a kind whose sentence is no longer there says who asks", () => {
    expect(card("tea", [logLine(6, "Vote 6: another one.")])).toBe("Ren asks the table");
    expect(card("constructor")).toBe("Ren asks the table");
  });
});
