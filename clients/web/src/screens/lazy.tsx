// A screen in a chunk of its own, loaded when it is first drawn.

import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** A component whose code arrives later; `load` begins before it is drawn. */
export type Lazy<Props> = ComponentType<Props> & { readonly load: () => Promise<unknown> };

/** The code cannot be loaded: the server is away, or has been updated since the page was opened. */
function NotLoaded({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  return (
    <p class="not-loaded" role="alert">
      {strings.notLoaded}{" "}
      <button type="button" class="btn" onClick={() => emit({ type: "reloaded" })}>
        {strings.reloadPage}
      </button>
    </p>
  );
}

/** A component in a chunk of its own; until it is loaded a sentence, with the class of its frame. */
export function lazy<Props extends ViewProps>(
  load: () => Promise<ComponentType<Props>>,
  frame = "",
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
    return phase === "failed" ? (
      <NotLoaded state={props.state} emit={props.emit} />
    ) : (
      <p class={`not-loaded ${frame}`} role="status">
        {stringsOf(props.state).connecting}
      </p>
    );
  }
  return Object.assign(LazyScreen, { load: begin });
}

/** A module, once it is wanted and loaded; without it the page still plays. */
export function useModule<Module extends object>(
  wanted: boolean,
  load: () => Promise<Module>,
): Module | undefined {
  const [module, setModule] = useState<Module>();
  useEffect(() => {
    if (wanted) load().then(setModule, () => undefined);
  }, [wanted]);
  return module;
}
