// Scenes of a replay: what is requested from the server, and what is shown in the meantime.

import { describe, expect, it } from "vitest";
import { textsBySeat } from "../src/screens/replayDetails.tsx";
import type { Branch } from "../src/sdk/tree.ts";
import { replayEvent } from "../src/shell/hotkeys.ts";
import {
  appendSteps,
  missingFrom,
  newReplay,
  nextAutoStep,
  type Replay,
  withStep,
} from "../src/state/replay.ts";
import { setAutoplay, setSpeed, timerFired } from "../src/state/replaySteps.ts";
import type { State } from "../src/state/state.ts";
import { visitor } from "./visitor.ts";

const STEPS = 500;
const PAGE = 200;

function view(step: number): Branch {
  return { room: { game_id: "g1", turn: [1] }, game: { step, board: { kept: 1 } } };
}

/** The server's answer: the nearest step, and up to 200 more. */
function stepsFrom(from: number, steps = STEPS, eyes: readonly number[] = [1]): Branch {
  const first = Math.min(from, steps);
  const then = Array.from({ length: Math.min(PAGE, steps - first) }, (_, index) => ({
    version: 10 + first + index + 1,
    at: 0,
    patch: { game: { step: first + index + 1 } },
    events: [{ event: "built", seat: 1 }],
    text: [`step ${first + index + 1}`],
  }));
  const head = { id: "g1", game: "manhattan", hash: "h", eyes, steps, from: first };
  return { ...head, version: 10 + first, at: 0, events: [], text: [], view: view(first), then };
}

/** Answer all requests until no moment is missing; returns the requests. */
function supplied(replay: Replay): readonly [Replay, readonly number[]] {
  let now = replay;
  const requested: number[] = [];
  for (let from = missingFrom(now); from !== undefined; from = missingFrom(now)) {
    requested.push(from);
    now = appendSteps({ ...now, asking: from }, stepsFrom(from));
  }
  return [now, requested];
}

function stepShown(replay: Replay): unknown {
  return (replay.moments[replay.shown]?.view.game as Branch | undefined)?.step;
}

describe("a game gone through", () => {
  it("begins where it is wanted, with the steps behind it", () => {
    const [replay, requested] = supplied(newReplay(0));
    expect(requested).toEqual([0]);
    expect(stepShown(replay)).toBe(0);
    expect(stepShown(withStep(replay, 200))).toBe(200);
    expect(replay.moments[7]?.text).toEqual(["step 7"]);
  });

  it("asks for more before it is needed, and for each step once", () => {
    const [begun] = supplied(newReplay(0));
    expect(missingFrom(withStep(begun, 150))).toBeUndefined();
    const [further, requested] = supplied(withStep(begun, 185));
    expect(requested).toEqual([201]);
    expect(missingFrom(withStep(further, 10))).toBeUndefined();
  });

  it("shows what it has while what is wanted is on its way", () => {
    const [begun] = supplied(newReplay(0));
    const jumped = withStep(begun, 450);
    expect([jumped.at, jumped.shown]).toEqual([450, 0]);
    const [there] = supplied(jumped);
    expect([there.at, stepShown(there)]).toEqual([450, 450]);
  });

  it("comes from the newest step back to those before it", () => {
    const [newest, requested] = supplied(newReplay(999_999));
    expect(requested).toEqual([999_999]);
    expect([newest.at, stepShown(newest)]).toEqual([STEPS, STEPS]);
    const [before, more] = supplied(withStep(newest, STEPS - 1));
    expect(more).toEqual([STEPS - 21]);
    expect(stepShown(before)).toBe(STEPS - 1);
  });

  it("asks nothing while an answer is awaited or was refused", () => {
    const begun = newReplay(0);
    expect(missingFrom({ ...begun, asking: 0 })).toBeUndefined();
    expect(missingFrom({ ...begun, refused: "Too much." })).toBeUndefined();
  });

  it("forgets what other eyes saw", () => {
    const [mine] = supplied(newReplay(0));
    const theirs = appendSteps(withStep(mine, 300), stepsFrom(300, STEPS, []));
    expect(theirs.moments[0]).toBeUndefined();
    expect(stepShown(theirs)).toBe(300);
  });

  it("plays on by itself, waits for what is late, and stops at the end", () => {
    const [begun] = supplied(newReplay(0));
    const on = nextAutoStep({ ...begun, playing: true });
    expect(on?.at).toBe(1);
    const late = withStep({ ...begun, playing: true }, 300);
    expect(nextAutoStep(late)?.at).toBe(300);
    const [ended] = supplied(withStep({ ...begun, playing: true }, STEPS));
    expect(nextAutoStep({ ...ended, playing: true })).toBeUndefined();
  });

  it("shares what a step did not change", () => {
    const [replay] = supplied(newReplay(0));
    const boards = [3, 4].map(
      (step) => (replay.moments[step]?.view.game as Branch | undefined)?.board,
    );
    expect(boards[0]).toBe(boards[1]);
  });
});

describe("the keys and the pace of a replay", () => {
  const KEY = "game g1";
  const pressed = (key: string) =>
    ({ key, altKey: false, shiftKey: false, ctrlKey: false, metaKey: false }) as const;

  function shown(at: number): State {
    const [replay] = supplied(withStep(newReplay(0), at));
    const address = { at: "game", id: "g1", move: at } as const;
    return { ...visitor("en"), address, replays: { [KEY]: replay } };
  }

  it("an arrow is a step, Space plays and stops, and the ends are ends", () => {
    expect(replayEvent(shown(3), pressed("ArrowRight"))).toMatchObject({ key: KEY, to: 4 });
    expect(replayEvent(shown(0), pressed("ArrowLeft"))).toMatchObject({ to: 0 });
    expect(replayEvent(shown(STEPS), pressed("ArrowRight"))).toMatchObject({ to: STEPS });
    expect(replayEvent(shown(3), pressed(" "))).toEqual({
      type: "replay_played",
      key: KEY,
      playing: true,
    });
    expect(replayEvent(shown(3), pressed("a"))).toBeUndefined();
    expect(replayEvent(visitor("en"), pressed("ArrowRight"))).toBeUndefined();
  });

  it("twice the speed is half the time between two steps", () => {
    const fast = setSpeed(shown(3), KEY, 2);
    const [playing, [begun]] = setAutoplay(fast, KEY, true);
    const [, effects] = timerFired(playing);
    const usual = setAutoplay(shown(3), KEY, true)[1][0];
    for (const effect of [begun, effects.find(({ type }) => type === "wait")]) {
      expect(effect).toMatchObject({ ms: (usual as { ms: number }).ms / 2 });
    }
  });
});

it("what two seats are told in the same words is told apart", () => {
  const dealt = (seat: number) => ({ event: "dealt", seat });
  const text = ["4 rounds. Ayu begins.", "Your cards: 1, 2.", "Your cards: 1, 2.", "Round 1."];
  const events = [{ event: "began", seat: 1 }, dealt(1), dealt(2), { event: "round" }];
  expect(textsBySeat({ text, events })).toEqual([
    { seat: 1, text: "4 rounds. Ayu begins. Your cards: 1, 2." },
    { seat: 2, text: "Your cards: 1, 2." },
    { seat: undefined, text: "Round 1." },
  ]);
  expect(textsBySeat({ text: ["A.", "B."], events: [dealt(2)] })).toEqual([
    { seat: 2, text: "A. B." },
  ]);
  const ranked = [{ event: "game_ended" }, { event: "ranked", seat: 1 }];
  expect(textsBySeat({ text: ["Over.", "1. Ayu (0)"], events: ranked })).toEqual([
    { seat: undefined, text: "Over." },
  ]);
  expect(textsBySeat({ text: [], events: [] })).toEqual([]);
});
