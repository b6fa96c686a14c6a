// Where a refusal stands: beside the pressed place, never over it, and inside the window.

import { expect, it } from "vitest";
import { besideSpot } from "../src/screens/refusalBubble.tsx";

const SIZE = { width: 300, height: 60 };
const PHONE = { width: 390, height: 844 };

it.each([
  ["below it", { left: 150, top: 300, width: 40, height: 40 }, { left: 20, top: 348 }],
  [
    "above it at the lower border",
    { left: 150, top: 780, width: 40, height: 40 },
    { left: 20, top: 712 },
  ],
  [
    "inside at the left border",
    { left: 0, top: 300, width: 40, height: 40 },
    { left: 8, top: 348 },
  ],
  [
    "inside at the right border",
    { left: 350, top: 300, width: 40, height: 40 },
    { left: 82, top: 348 },
  ],
])("a refusal stands %s", (_, spot, expected) => {
  expect(besideSpot(spot, SIZE, PHONE)).toEqual(expected);
});
