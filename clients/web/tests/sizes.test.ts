// The bytes of the first page, each screen and each board, brotli as the server sends them, stay bounded.

import { describe, expect, it } from "vitest";
import { DRAWN } from "../src/board/registry.ts";
import { type Budget, builtPage, problemsOf, sizesOf } from "./sizes.ts";

/** The numbers only fall. Each started at the page of 2026-11-24, rounded up to a hundred bytes. */
const BUDGETS: Readonly<Record<string, Budget>> = {
  script: {
    bytes: 37_690,
    why: "The start page, state, SDK, line and kit; both languages, one of which could come later.",
  },
  style: {
    bytes: 5_560,
    why: "Tokens, base, the kit's marks, start page, lobby, log and line; the room brings its own.",
  },
  html: {
    bytes: 590,
    why: "The shell with two sentences for browsers that cannot run the page, in two languages.",
  },
  kit: {
    bytes: 220,
    why: "The names that boards of packages import; what they name is in the first page's script.",
  },
  "screen room": {
    bytes: 7_990,
    why: "Board area, task, seats and the line; all else is loaded after it. A screen's goal is 8 kB.",
  },
  "screen lobby": {
    bytes: 4_745,
    why: "Rooms, the form of a new one, people, the log and the line; below the goal of 8 kB.",
  },
  "screen replayScreen": {
    bytes: 7_530,
    why: "Board area, slider and hands; a screen's goal is 8 kB.",
  },
  "screen beforeGame": {
    bytes: 2_230,
    why: "Who plays, with which options and bots; loaded with a room that waits.",
  },
  "screen waitingNotes": {
    bytes: 805,
    why: "Who begins the game and how strong bots are, in both languages; loaded with a room that waits.",
  },
  "screen result": {
    bytes: 3_125,
    why: "Ranks, breakdown, downloads and the dice check; loaded when a game is over, and stays while the next is prepared.",
  },
  "screen analysisResult": {
    bytes: 3_010,
    why: "Curve, table and numbered turning points, with all words of analyses; loaded with the first one.",
  },
  "screen votes": {
    bytes: 730,
    why: "The card of a vote, loaded with the first one.",
  },
  "screen liveReplay": {
    bytes: 1_560,
    why: "The slider, loaded with the first look back.",
  },
  "screen allCommands": {
    bytes: 880,
    why: "All commands of a table with their help, loaded when they are opened.",
  },
  "screen refusalNote": {
    bytes: 1_065,
    why: "A refusal beside the line, with lines to click instead; loaded with the first one.",
  },
  "screen tableMenu": {
    bytes: 220,
    why: "The frame of the tools in a window that has no space for them.",
  },
  "screen refusalBubble": {
    bytes: 1_010,
    why: "A refusal at the pressed place, loaded with the first one.",
  },
  "screen explanation": {
    bytes: 3_860,
    why: "Motion along a way, of cards and of dice, and a text beside a place; loaded after a board.",
  },
  "screen livingBoard": {
    bytes: 3_600,
    why: "The board of the start page, with the registry and style that a room shares; loaded once one can play.",
  },
  "recorded manhattan": {
    bytes: 1_970,
    why: "A whole game for the start page: the first view, and a patch for each of 107 moves.",
  },
  "recorded railroad_ink": {
    bytes: 1_840,
    why: "A whole game for the start page: the first view, and a patch for each round and roll.",
  },
  "screen hintMarks": {
    bytes: 1_020,
    why: "A hint on the board, loaded with the first one.",
  },
  "screen coach": {
    bytes: 2_360,
    why: "A lesson's step and its rings, which are the hint's; loaded with the first lesson.",
  },
  "screen reveal": {
    bytes: 285,
    why: "Brings what a lesson rings into view, loaded with the first step that rings something.",
  },
  "screen turningPoints": {
    bytes: 2_310,
    why: "Turning points in words and on the board of a replay; shares the words of analyses.",
  },
  "screen opponentMoves": {
    bytes: 2_260,
    why: "What others have played, over the task while it moves; motion, which is most of it, is the board's.",
  },
  "screen conversation": {
    bytes: 3_855,
    why: "Tools and log of a room, by turns; loaded after the room is drawn, in a frame that is there.",
  },
  "screen lineAssist": {
    bytes: 2_530,
    why: "Chips, completion and keys of the line, which sends what is typed without them.",
  },
  "screen boardInput": {
    bytes: 1_260,
    why: "The keyboard of a board, loaded after it.",
  },
  "screen replayDetails": {
    bytes: 2_025,
    why: "Steps, analysis button and dice check of a replay, loaded after its board.",
  },
  "screen dragging": {
    bytes: 1_095,
    why: "Dragging with its copy under the finger, loaded by boards whose places can be dragged.",
  },
  "screen invite": {
    bytes: 1_020,
    why: "One form with its words in both languages; its parts are the start page's.",
  },
  "screen copyBar": {
    bytes: 310,
    why: "That a text was copied; where the browser refuses, a dialog with the text to be copied by hand.",
  },
  "screen replayLanding": {
    bytes: 775,
    why: "One form for who follows a link to a finished game, with its words in both languages.",
  },
  "screen people": {
    bytes: 6_110,
    why: "My games, a person's page and the ranking, with words and style; a screen's goal is 8 kB.",
  },
  "screen rulesBook": {
    bytes: 3_590,
    why: "Contents, search, chapters with texts, pictures and paragraphs; loaded when the rules are opened.",
  },
  "screen panels": {
    bytes: 1_575,
    why: "Settings and keys with their words in both languages and the style of dialogs, loaded when one opens.",
  },
  "screen account": {
    bytes: 1_785,
    why: "The forms of the account with their words in both languages, loaded with their dialog.",
  },
  "screen hostPanel": {
    bytes: 1_775,
    why: "People, password and link of a host with their words in both languages, loaded with their dialog.",
  },
  "board parts": {
    bytes: 1_470,
    why: "What all boards of the page share: phrases, tables, acts by kind of place; loaded with the first.",
  },
  "board itc": {
    bytes: 11_110,
    why: "Routes and hand; the world is a chunk of its own. A board's goal is 12 kB.",
  },
  "drawings itc world": {
    bytes: 2_630,
    why: "Continents with stacks of goods, and the stall of the grey market.",
  },
  "drawings itc lanes": {
    bytes: 2_310,
    why: "Lanes, vehicles and the loads on them: what is drawn, apart from what is chosen and typed.",
  },
  "drawings railroad_ink": {
    bytes: 1_600,
    why: "The table, and the other players' sheets on it: what is drawn, apart from the sheet of the player.",
  },
  "board manhattan": {
    bytes: 8_040,
    why: "Six cities and a tray, without a map; below the goal of 12 kB for a board.",
  },
  "drawings manhattan": {
    bytes: 2_570,
    why: "Skies and towers: what is drawn, apart from what is chosen and typed.",
  },
  "board railroad_ink": {
    bytes: 10_560,
    why: "Strokes of all pieces as paths, and dragging; below the goal of 12 kB for a board.",
  },
  "board tokai": {
    bytes: 16_070,
    why: "Map, label placement and auction; a board's goal is 12 kB.",
  },
  "drawings tokai": {
    bytes: 3_420,
    why: "Bays, hills, numbered steps, names of lines, the cards of two routes, and the whole map in a corner.",
  },
  "board tokugawa": {
    bytes: 13_815,
    why: "Map, label placement, battle and contract tables; a board's goal is 12 kB.",
  },
  "drawings tokugawa": {
    bytes: 4_220,
    why: "The coast, castles, buildings and the tables of a fight: what is drawn, apart from what is chosen and typed.",
  },
  "rules itc": {
    bytes: 1_070,
    why: "Routes and goods with their names, a caption in both languages for each chapter.",
  },
  "rules manhattan": {
    bytes: 1_180,
    why: "Buildings that may be taken over or not, blocks and cards, and a caption for each chapter.",
  },
  "rules railroad_ink": {
    bytes: 590,
    why: "A caption in both languages for each chapter; what is drawn is that of the board.",
  },
  "rules tokai": {
    bytes: 1_530,
    why: "Rides with their fares, lines with stations, and a caption for each of sixteen chapters.",
  },
  "rules tokugawa": {
    bytes: 1_100,
    why: "Samurai and buildings with their names, and a caption in both languages for each chapter.",
  },
};

/** What a board may need with its drawings. */
const BOARD_MAX = 20_000;

describe("the page as built", () => {
  it("has no file that grew", async () => {
    expect(problemsOf(sizesOf(await builtPage()), BUDGETS)).toEqual([]);
  });

  it("has no board that needs more than 20 kB with its drawings", () => {
    const heavy = DRAWN.map((key) => {
      const parts = Object.entries(BUDGETS).filter(([name]) =>
        `${name} `.match(`^(board|drawings) ${key} `),
      );
      return { key, bytes: parts.reduce((sum, [, { bytes }]) => sum + bytes, 0) };
    }).filter(({ bytes }) => bytes > BOARD_MAX);
    expect(heavy).toEqual([]);
  });

  it("has a reason for each number", () => {
    expect(Object.values(BUDGETS).filter(({ why }) => why.length < 20)).toEqual([]);
  });
});

describe("the check itself", () => {
  const budgets = { script: { bytes: 1000, why: "" }, html: { bytes: 100, why: "" } };

  it("accepts what is at its bound, or a little below", () => {
    expect(problemsOf({ script: 1000, html: 96 }, budgets)).toEqual([]);
  });

  it("finds growth, a file without a number, a number without a file, one to be lowered", () => {
    expect(problemsOf({ script: 1001, "board new": 5 }, budgets)).toEqual([
      "script has 1001 bytes, more than 1000",
      "board new has 5 bytes, and no number in BUDGETS",
      "html is in BUDGETS, but not in the build",
    ]);
    expect(problemsOf({ script: 900, html: 100 }, budgets)).toEqual([
      "script has 900 bytes only: lower its 1000 in BUDGETS",
    ]);
  });
});
