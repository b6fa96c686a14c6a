// The parts of the kit that boards of packages do not have: they load with a board of this page, and
// not with the first page.

import "./parts.css";

export { byKind } from "./byKind.ts";
export { PlaceList, slotButtons } from "./choices.tsx";
export { hasLine, legalPick } from "./legal.ts";
export { phraseBook } from "./phrases.ts";
export { joined, playerName, SeatName, seatsOf, turnNames, youOrName } from "./players.tsx";
export { once, stored } from "./stored.ts";
export { type FactRow, FactTable, Scroll } from "./table.tsx";
