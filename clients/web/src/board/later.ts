// A module of a board that is a chunk of its own.

export interface Later<Module> {
  readonly load: () => Promise<void>;
  /** Throws before it is loaded. */
  readonly get: () => Module;
}

/** A module that is loaded apart from the board's own, and before the board is shown. */
export function later<Module>(imported: () => Promise<Module>): Later<Module> {
  let loaded: Module | undefined;
  return {
    load: async () => {
      loaded = await imported();
    },
    get: () => {
      if (loaded === undefined) throw new Error("the drawings of this board are not loaded");
      return loaded;
    },
  };
}
