// The table of Liar's Dice: cups in a ring with the bid between them; counts and faces to press.
// @ts-check

import {
  bothLanguages,
  defineBoard,
  Die,
  Group,
  h,
  linesWith,
  nameOf,
  Piece,
  PlaceButton,
  slotValues,
  Tray,
} from "/kit/1.js";

/** @typedef {import("./board.gen.ts").View} View */
/** @typedef {import("/kit/1.js").Position<View>} Position */

const strings = bothLanguages(
  {
    table: "The table",
    cup: (/** @type {string} */ name, /** @type {number} */ count) => `${name}: ${count} dice`,
    bid: (/** @type {string} */ name, /** @type {number} */ count) => `${name}: ${count} or more`,
    none: "No bid yet",
    count: "Dice",
    face: "Face",
    doubt: "Doubt",
    task: "Bid higher, or doubt the last bid.",
    first: "Bid how many dice of all show a face.",
  },
  {
    table: "テーブル",
    cup: (name, count) => `${name}: ダイス${count}個`,
    bid: (name, count) => `${name}: ${count}個以上`,
    none: "まだ宣言がありません",
    count: "個数",
    face: "目",
    doubt: "ダウト",
    task: "より高く宣言するか、直前の宣言をダウトします。",
    first: "全員のダイスに、ある目が何個あるかを宣言します。",
  },
);

const DIE = 34;

/**
 * A cup with its dice; one that only its seat sees has no value for the others.
 * @param {Position} position
 * @param {number} seat
 * @param {number} turn from the bottom of the table, in radians
 */
function cup({ view, room, lang }, seat, turn) {
  const { count = 0, dice = Array(count).fill(undefined) } = view.seats[seat] ?? {};
  const name = nameOf(room.seats, seat);
  const at = `translate(${320 - 215 * Math.sin(turn)} ${210 + 140 * Math.cos(turn)})`;
  return h(
    "g",
    { class: room.turn.includes(seat) ? "cup turn" : "cup", transform: at },
    h("title", null, strings(lang).cup(name, count)),
    h("ellipse", { rx: 100, ry: 56 }),
    h(Piece, { seat, x: 0, y: -38, r: 9 }),
    h("text", { y: -14 }, name),
    dice.map((value, index) => {
      const x = (index - dice.length / 2) * DIE;
      return h("g", { transform: `translate(${x} -4)` }, h(Die, { value, size: DIE - 4 }));
    }),
  );
}

/** @param {{ position: Position }} props */
function Drawing({ position }) {
  const { view, room, lang, seat = 1 } = position;
  const seats = Object.keys(view.seats).map(Number);
  const labels = strings(lang);
  const { bidder, count, face } = view;
  return h(
    "svg",
    { class: "fit", viewBox: "0 0 640 420", role: "img", "aria-label": labels.table },
    h("ellipse", { class: "felt", cx: 320, cy: 210, rx: 312, ry: 204 }),
    seats.map((each) => cup(position, each, (2 * Math.PI * (each - seat)) / seats.length)),
    h(
      "g",
      { class: "bid", transform: "translate(320 210)" },
      count > 0 && h("g", { transform: "translate(-20 -40)" }, h(Die, { value: face, size: 40 })),
      h(
        "text",
        { y: count > 0 ? 26 : 5 },
        count > 0 ? labels.bid(nameOf(room.seats, bidder), count) : labels.none,
      ),
    ),
  );
}

/**
 * The values of a slot as buttons: dashed where they go with what is chosen.
 * @param {Position} position
 * @param {"count" | "face"} slot
 */
function values({ moves, draft, lang }, slot) {
  const { [slot]: chosen, ...rest } = draft.slots;
  const fitting = slotValues(linesWith(moves, rest, "bid"), slot);
  const all = slotValues(linesWith(moves, {}, "bid"), slot);
  const title = strings(lang)[slot];
  const buttons = all
    .toSorted((a, b) => Number(a) - Number(b))
    .map((value) => {
      const label = `${title} ${value}`;
      const may = fitting.includes(value) && value !== chosen;
      const props = { id: `${slot} ${value}`, label, may, chosen: value === chosen };
      const shown = slot === "face" ? h(Die, { value: Number(value) }) : value;
      return h(PlaceButton, { ...props, key: value }, shown);
    });
  return all.length > 0 && h(Group, { title }, buttons);
}

/** @param {{ position: Position }} props */
function Hand({ position }) {
  const labels = strings(position.lang);
  const doubt = { id: "doubt", label: labels.doubt, may: true };
  const canDoubt = linesWith(position.moves, {}, "doubt").length > 0;
  return h(
    Tray,
    { label: labels.table },
    values(position, "count"),
    values(position, "face"),
    canDoubt && h(PlaceButton, doubt, labels.doubt),
  );
}

/** @param {string} place @returns {import("/kit/1.js").Act} */
function press(place) {
  const [slot = "", value = ""] = place.split(" ");
  if (slot === "doubt") return { act: "pick", verb: "doubt", slots: {} };
  return { act: "pick", verb: "bid", slots: { [slot]: value } };
}

export const board = defineBoard({
  query: "/board",
  Drawing,
  Tray: Hand,
  AsText: ({ position }) => h("pre", { class: "board-text" }, position.answers["/board"]?.text),
  press,
  /** @param {Position} position */
  task: ({ view, lang }) => strings(lang)[view.count > 0 ? "task" : "first"],
  /** @param {number} seat @param {Position} position */
  seat: (seat, { view }) => ({ score: view.seats[seat]?.count ?? 0 }),
});
