// What the board draws, apart from what is chosen and typed.

export * from "./lineTags.tsx";
export * from "./overview.tsx";
export * from "./routeChoices.tsx";
export * from "./scenery.tsx";
