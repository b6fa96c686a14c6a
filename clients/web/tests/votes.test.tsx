// The text of a vote's card, also for a kind that only a later server has.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { Lang } from "../src/board/contract.ts";
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

/** A vote's card as a person with a seat sees it. */
function shownTo(name: string, kind: string, log: readonly LogLine[] = [], lang: Lang = "en") {
  const vote = { kind, by: "Ren", voters: [1, 2], yes: [], no: [], deadline: 9000, seat: 1 };
  const seats = { 1: { name: "Ayu", human: true }, 2: { name: "Ben", human: true } };
  const eyes = name === "Ren" ? [3] : [1];
  const room = { id: "1", view: { room: { seats, votes: { 7: vote } } }, eyes };
  const shown = render(
    <Votes
      state={withInput(visitor(lang, name), "1", { log })}
      emit={() => undefined}
      room={room as unknown as RoomView}
      inputKey="1"
    />,
  );
  return {
    shown,
    buttons: [...shown.matchAll(/<button[^>]*>(.*?)<.button/g)].map(([, text]) => text),
  };
}

function card(kind: string, log: readonly LogLine[] = []): string {
  const { shown, buttons } = shownTo("Ayu", kind, log);
  expect(buttons).toEqual(["Agree", "Refuse"]);
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

  it.each([
    ["en", "The others decide.", "Withdraw"],
    ["ja", "ほかの人が決めます。", "取り下げ"],
  ] as const)("can be withdrawn by the person who asks, in %s", (lang, told, label) => {
    const { shown, buttons } = shownTo("Ren", "kick", [], lang);
    expect(shown).toContain(told);
    expect(buttons).toEqual([label]);
    expect(shownTo("Cem", "kick", [], lang).buttons).not.toContain(label);
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
