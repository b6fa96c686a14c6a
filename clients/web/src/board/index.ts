// The kit of the boards: what a board may import, besides preact, its own folder, and `parts.ts`.

export {
  type Draft,
  type Line,
  linesWith,
  lineTokens,
  type Slots,
  slotValues,
  writeDraft,
} from "../line/parse.ts";
export { localValue } from "../line/valueNames.ts";
export { aimed, MapButton } from "./cameraControls.tsx";
export * from "./contract.ts";
export { Die } from "./die.tsx";
export { BoardFrame } from "./frame.tsx";
export { Icon, type IconName } from "./icons.tsx";
export {
  type Anchor,
  around,
  type Box,
  crosses,
  LabelGrid,
  type Spot,
  widthOf,
} from "./labelGrid.ts";
export { bothLanguages, nameOf, number } from "./labels.ts";
export { later } from "./later.ts";
export { LeveledMap } from "./map.tsx";
export type { Camera } from "./panzoom.tsx";
export { COLOURED_SEATS, letterOf, Piece, SeatMark } from "./piece.tsx";
export { Place, PlaceButton, type PlaceState, Plus } from "./place.tsx";
export { Still } from "./still.tsx";
export { verbLabel } from "./verbLabel.ts";
export { whyNot } from "./whyNot.ts";
export { Group, Tabs, Tag, Tray } from "./widgets.tsx";
