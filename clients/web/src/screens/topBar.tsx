// The bar at the top: the current screen, the other language, settings; and the state of the
// connection.

import type { ComponentChildren, VNode } from "preact";
import { Icon } from "../board/index.ts";
import { currentInputKey, inputOf } from "../state/lineInput.ts";
import { otherLang } from "../state/selectors.ts";
import { LANG_NAMES } from "../strings/index.ts";
import { Logo } from "./logo.tsx";
import { PageLink } from "./pageLink.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** The button that switches to the other language, named in that language. */
export function LangButton({ state, emit }: ViewProps): VNode {
  const other = otherLang(state.settings.lang);
  return (
    <button
      type="button"
      class="btn flat"
      lang={other}
      onClick={() => emit({ type: "set", settings: { lang: other } })}
    >
      {LANG_NAMES[other]}
    </button>
  );
}

export function TopBar(
  props: ViewProps & {
    readonly title: string;
    readonly sub?: string;
    readonly children?: ComponentChildren;
  },
): VNode {
  const { state, emit } = props;
  const strings = stringsOf(state);
  const key = currentInputKey(state);
  const { panel } = inputOf(state, key);
  return (
    <header class="top">
      <PageLink emit={emit} to={{ at: "start" }} class="btn flat home" label={strings.start}>
        <Logo />
      </PageLink>
      <div class="titles">
        <h1>{props.title}</h1>
        {props.sub !== undefined && <span class="sub">{props.sub}</span>}
      </div>
      <span class="space" />
      {props.children}
      <LangButton state={state} emit={emit} />
      <button
        type="button"
        class="btn flat"
        aria-label={strings.settings}
        aria-expanded={panel === "settings"}
        onClick={() => emit({ type: "panel", inputKey: key, panel: "settings" })}
      >
        <Icon name="sun" />
      </button>
    </header>
  );
}

/** The problem of the connection; nothing if there is none. */
export function LinkBar({ state, emit }: ViewProps): VNode | null {
  const strings = stringsOf(state);
  const { link } = state;
  if (link.phase === "ended") {
    return (
      <div class="link-bar" role="alert">
        <span>{link.text || strings.replaced}</span>
        <button type="button" class="btn" onClick={() => emit({ type: "started" })}>
          {strings.reload}
        </button>
      </div>
    );
  }
  const coming = link.phase === "connecting" && link.attempt > 0;
  if (link.phase !== "waiting" && !coming) return null;
  const seconds = link.phase === "waiting" ? Math.ceil((link.until - state.now) / 1000) : 0;
  return (
    <div class="link-bar" role="status">
      <span>{strings.lost(Math.max(0, seconds))}</span> <span>{strings.stillTyping}</span>
    </div>
  );
}
