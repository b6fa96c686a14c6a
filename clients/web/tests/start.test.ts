// Scenes of the start page: a proposed name, a bound of the server, an invite link.

import { describe, expect, it } from "vitest";
import type { ServerMessage } from "../src/protocol/messages.gen.ts";
import { resumeText } from "../src/screens/viewProps.ts";
import { proposedName } from "../src/state/proposedName.ts";
import { loadStrings, stringsIn } from "../src/strings/index.ts";
import { Visit, WELCOME } from "./visit.ts";

describe("the start page", () => {
  const limited = (retry_ms: number, id?: string): ServerMessage => ({
    type: "error",
    ...(id === undefined ? {} : { id }),
    code: "limited",
    text: "That is a lot at once.",
    retry_ms,
  });
  const lastLine = (visit: Visit) =>
    visit.effects
      .flatMap((effect) => (effect.type === "send" ? effect.messages : []))
      .flatMap((message) => (message.type === "say" ? [message] : []))
      .at(-1);

  it("proposes a name that may be used, and another one on request", () => {
    for (const lang of ["en", "ja"] as const) {
      const names = ["0123", "fedc"].map((fresh) => proposedName(lang, fresh));
      expect(new Set(names).size).toBe(2);
      for (const name of names) expect(name).toMatch(/^[\p{L}\d]{4,16}$/u);
    }
    const newcomer = new Visit({ name: "" }).does({ type: "started" });
    expect(newcomer.state.name).toBe(proposedName("en", "ab"));
    expect(new Visit().does({ type: "started" }).state.name).toBe("Ayu");
  });

  it("offers a game against a bot before it has the list of games", async () => {
    for (const [lang, text] of [
      ["en", "against a bot"],
      ["ja", "ボットと"],
    ] as const) {
      await loadStrings(lang);
      expect(stringsIn(lang).againstBot("")).toBe(text);
    }
  });

  it("counts down past a bound, and goes on by itself with the same line", () => {
    const visit = new Visit().does({ type: "chose_game", game: "tokai" });
    visit.does({ type: "play_with_friend" }).does({ type: "connected" }).hears(WELCOME);
    const first = lastLine(visit);
    expect(first?.text).toBe("/newroom tokai unlisted");
    visit.hears(limited(44_000, first?.id));
    expect(visit.state.script?.resumesAt).toBe(44_000);
    expect(visit.state.refused).toBeUndefined();
    expect(visit.state.inputs.lobby?.text).toBe("");
    expect(visit.effects).toContainEqual({ type: "wait", timer: "script", ms: 44_020 });
    visit.now = 44_020;
    visit.does({ type: "timer", timer: "script" });
    expect(lastLine(visit)?.text).toBe("/newroom tokai unlisted");
    expect(visit.state.script?.sent).toEqual(["/newroom tokai unlisted"]);
  });

  it.each([
    ["en", "password_wait", "The password was wrong too often. This goes on by itself in 9 s."],
    ["en", "too_much", "Many people are coming in just now. This goes on by itself in 9 s."],
    ["ja", "password_wait", "合言葉の間違いが続きました。9秒後に自動で続けます。"],
  ] as const)("says why it waits (%s, %s)", async (lang, code, text) => {
    await loadStrings(lang);
    const visit = new Visit().does({ type: "log_in", name: "Ayu", password: "x" });
    visit.does({ type: "connected" }).hears(WELCOME);
    visit.hears({ ...limited(9_000, lastLine(visit)?.id), code } as never);
    const settings = { ...visit.state.settings, lang };
    expect(resumeText({ ...visit.state, settings })).toBe(text);
  });

  it("comes in by itself where newcomers have to wait", () => {
    const visit = new Visit().does({ type: "chose_game", game: "tokai" });
    visit.does({ type: "play_now" }).does({ type: "connected" });
    visit.hears(limited(30_000));
    expect(visit.state.script?.resumesAt).toBe(30_000);
    visit.does({ type: "timer", timer: "script" });
    expect(visit.effects).toContainEqual({ type: "connect" });
    visit.does({ type: "connected" }).hears(WELCOME);
    expect(lastLine(visit)?.text).toBe("/newroom tokai unlisted");
  });

  it("copies an invite link, and says so only when the browser has done it", () => {
    const link = "http://127.0.0.1:8765/r/abc";
    const visit = new Visit().hears(WELCOME, {
      type: "note",
      code: "invite",
      text: `Link: ${link}`,
    });
    expect(visit.effects).toContainEqual({ type: "copy", text: link });
    visit.does({ type: "copy_ended", text: link, done: false });
    expect(visit.state.copied).toEqual({ text: link, done: false });
    expect(visit.effects).toEqual([{ type: "announce", text: "Copy this:" }]);
    visit.does({ type: "copy_dismissed" });
    expect(visit.state.copied).toBeUndefined();
  });
});
