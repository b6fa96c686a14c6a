// What the board of a package imports: the kit and the view library, from an address that stays.
// A change that breaks boards gets the next number, beside this one: see `KIT` in vite.config.ts.

export { h } from "preact";
export type * from "./board/contract.ts";
export {
  around,
  bothLanguages,
  Die,
  defineBoard,
  Group,
  Icon,
  LabelGrid,
  LeveledMap,
  linesWith,
  localValue,
  MapButton,
  nameOf,
  number,
  Piece,
  Place,
  PlaceButton,
  Plus,
  SeatMark,
  Still,
  slotValues,
  Tabs,
  Tag,
  Tray,
  widthOf,
} from "./board/index.ts";
