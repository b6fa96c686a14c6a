// A screen in a chunk of its own, loaded when it is first drawn.

import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { whyOf } from "../state/faults.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** A component whose code arrives later; `load` begins before it is drawn. */
export type Lazy<Props> = ComponentType<Props> & { readonly load: () => Promise<unknown> };

/** The code cannot be loaded: the server is away, or has been updated since the page was opened. */
function NotLoaded({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  return (
    <p class="fault-bar" role="alert">
      {strings.notLoaded}{" "}
      <button type="button" class="btn" onClick={() => emit({ type: "reloaded" })}>
        {strings.reloadPage}
      </button>
    </p>
  );
}

/** A component in a chunk of its own; until it is loaded a sentence, or a frame of this class. */
export function lazy<Props extends ViewProps>(
  load: () => Promise<ComponentType<Props>>,
  frame?: string,
): Lazy<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<unknown> | undefined;
  const begin = (): Promise<unknown> => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        // The next drawing tries again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function LazyScreen(props: Props): VNode {
    const [phase, setPhase] = useState<"loading" | "loaded" | "failed">("loading");
    useEffect(() => {
      if (loaded !== undefined) return;
      begin().then(
        () => setPhase("loaded"),
        () => setPhase("failed"),
      );
    }, []);
    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    if (phase === "failed") return <NotLoaded {...props} />;
    if (frame !== undefined) return <div class={frame} />;
    return <p role="status">{stringsOf(props.state).connecting}</p>;
  }
  return Object.assign(LazyScreen, { load: begin });
}

/** Where the fault is of a module that cannot be loaded. */
export const LOADING = "load";

/**
 * A module, once it is wanted and loaded; without it the page still plays. If it cannot be loaded the
 * page says so: browsers let all later imports of the same file fail as well, until a reload.
 */
export function useModule<Module extends object>(
  emit: ViewProps["emit"],
  wanted: boolean,
  load: () => Promise<Module>,
): Module | undefined {
  const [module, setModule] = useState<Module>();
  useEffect(() => {
    if (!wanted) return;
    load().then(setModule, (error: unknown) =>
      emit({ type: "drawing_failed", where: LOADING, why: whyOf(error) }),
    );
  }, [wanted]);
  return module;
}
