// Scenes of lines that wait for the answer to another one, which may be slow.

import { describe, expect, it } from "vitest";
import { crc } from "../src/sdk/checksum.ts";
import type { Event } from "../src/state/events.ts";
import { atTable, snapshot, VIEW, Visit, WELCOME } from "./visit.ts";

/** Events of the input at the table. */
const ENTER = { type: "line_submitted", inputKey: "12" } as const;
const typed = (text: string): Event => ({ type: "typed", inputKey: "12", text });
const press = (text: string): Event => ({ type: "line_chosen", inputKey: "12", text });

describe("a line", () => {
  it("of each button is said in turn, while the answers are slow, and the draft stays", () => {
    const visit = atTable().does(typed("good ga")).does(press("/hint"));
    expect(visit.lines).toEqual(["/hint"]);
    const later = ["/accept 3", "/option hints off", "/option hints on", "/option hints off"];
    for (const line of later) expect(visit.does(press(line)).lines).toEqual([]);
    expect(visit.text).toBe("/hint");
    for (const line of later) expect(visit.answered().lines).toEqual([line]);
    expect([visit.answered().lines, visit.text]).toEqual([[], "good ga"]);
  });

  it("of a button keeps its place among those that are typed", () => {
    const visit = atTable().does(typed("hello")).does(ENTER);
    visit.does(typed("/build 1 cairo 2")).does(ENTER).does(press("/undo"));
    expect(visit.text).toBe("/build 1 cairo 2");
    expect(visit.answered().lines).toEqual(["/build 1 cairo 2"]);
    expect(visit.answered().lines).toEqual(["/undo"]);
    expect(visit.answered().text).toBe("");
  });

  it("of a button that waited is refused in sight where the position has changed since", () => {
    const visit = atTable().does(typed("hello")).does(ENTER).does(press("/undo"));
    const text = ["Ben builds."];
    visit.hears({ type: "update", room: 1, version: 6, patch: {}, sum: crc(VIEW), text });
    visit.answered();
    const sent = visit.effects.find((effect) => effect.type === "send");
    expect(sent?.messages).toMatchObject([{ text: "/undo", at: 5 }]);
    visit.refused("stale", "The position has changed.");
    expect(visit.state.inputs["12"]?.refusal?.code).toBe("stale");
    expect(visit.effects).toContainEqual({ type: "announce", text: "The position has changed." });
  });

  it("of a button is said though the one before it was refused, whose reason stays in sight", () => {
    const visit = atTable().does(press("/hint")).does(press("/accept 3"));
    expect(visit.refused("hints_used", "No more hints.").lines).toEqual(["/accept 3"]);
    expect(visit.state.inputs["12"]?.refusal?.text).toBe("No more hints.");
    expect(visit.answered().state.inputs["12"]?.refusal?.text).toBe("No more hints.");
    expect(visit.does(press("/hint")).state.inputs["12"]?.refusal).toBeUndefined();
  });

  it("of a link goes after the one that is on its way, which keeps its answer", () => {
    const visit = atTable().does(press("/hint"));
    visit.does({ type: "navigated", address: { at: "lobby" } });
    expect(visit.lines).toEqual([]);
    expect(visit.answered().lines).toEqual(["/lobby"]);
  });

  it("of talk leaves the input at once, so that a burst of it comes as it was typed", () => {
    const visit = atTable().does(typed("one")).does(ENTER);
    expect([visit.lines, visit.text]).toEqual([["one"], ""]);
    expect(visit.does(ENTER).lines).toEqual([]);
    for (const text of ["two", "two"]) visit.does(typed(text)).does(ENTER);
    visit.does(typed("thr"));
    expect([visit.answered().lines, visit.text]).toEqual([["two"], "thr"]);
    expect([visit.answered().lines, visit.text]).toEqual([["two"], "thr"]);
    expect([visit.answered().lines, visit.text]).toEqual([[], "thr"]);
  });

  it("of talk comes back when it is refused, unless the next one has been begun", () => {
    const refused = (visit: Visit): string => visit.refused("silenced", "Not now.").text ?? "";
    expect(refused(atTable().does(typed("one")).does(ENTER))).toBe("one");
    expect(refused(atTable().does(typed("one")).does(ENTER).does(typed("tw")))).toBe("tw");
  });

  it("waits for the answer to the line before it", () => {
    const visit = atTable().does({ type: "line_chosen", inputKey: "12", text: "/undo" });
    visit.does({ type: "line_submitted", inputKey: "12" });
    visit.does({ type: "typed", inputKey: "12", text: "well played" });
    expect(visit.does({ type: "line_submitted", inputKey: "12" }).lines).toEqual([]);
    visit.hears({ type: "done", id: visit.pending() ?? "", room: 1, version: 5 });
    expect(visit.lines).toEqual(["well played"]);
    expect(visit.done().text).toBe("");
    expect(visit.lines).toEqual([]);
  });

  it("that waits is not said once the one before it was refused, or it was written anew", () => {
    const waiting = (): Visit =>
      atTable()
        .does({ type: "line_chosen", inputKey: "12", text: "/build 9" })
        .does({ type: "typed", inputKey: "12", text: "/done" })
        .does({ type: "line_submitted", inputKey: "12" });
    const refused = waiting();
    const id = refused.pending() ?? "";
    refused.hears({ type: "error", id, code: "bad_argument", text: "No." });
    expect([refused.lines, refused.text, refused.pending()]).toEqual([[], "/done", undefined]);
    const anew = waiting().does({ type: "typed", inputKey: "12", text: "/done?" });
    anew.hears({ type: "done", id: anew.pending() ?? "", room: 1, version: 5 });
    expect([anew.lines, anew.text]).toEqual([[], "/done?"]);
  });

  it("that waits lets a script end first", () => {
    const visit = new Visit().hears(WELCOME).does({ type: "chose_game", game: "manhattan" });
    visit.does({ type: "play_now" });
    visit.hears(snapshot(), {
      type: "done",
      id: visit.pending("lobby") ?? "",
      room: 1,
      version: 1,
    });
    visit
      .does({ type: "typed", inputKey: "12", text: "hello" })
      .does({ type: "line_submitted", inputKey: "12" });
    const sentLines: (readonly string[])[] = [];
    for (let id = visit.pending(); id !== undefined; id = visit.pending()) {
      sentLines.push(visit.hears({ type: "done", id, room: 1, version: 5 }).lines);
    }
    expect(sentLines).toEqual([
      ["/bot"],
      ["/option hints on"],
      ["/option coach on"],
      ["/start"],
      ["hello"],
      [],
    ]);
  });
});
