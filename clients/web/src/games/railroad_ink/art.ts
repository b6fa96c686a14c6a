// What the board draws, apart from what is chosen and typed.

export { picturesIn } from "./pictures.tsx";
export { OtherBoards } from "./tableSheets.tsx";
