// A part of a board that is a chunk of its own.

export interface Later<Part> {
  readonly load: () => Promise<void>;
  /** The part. Throws before it is loaded. */
  readonly part: () => Part;
}

/** A module that is loaded apart from the board's own, and before the board is shown. */
export function later<Part>(imported: () => Promise<Part>): Later<Part> {
  let loaded: Part | undefined;
  return {
    load: async () => {
      loaded = await imported();
    },
    part: () => {
      if (loaded === undefined) throw new Error("the drawings of this board are not loaded");
      return loaded;
    },
  };
}
