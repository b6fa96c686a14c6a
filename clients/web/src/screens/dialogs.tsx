// What lies over a page when it is asked for: settings, keys. A dialog, closed by Esc.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { KEYS } from "../keys/table.ts";
import { inputOf } from "../state/lineInput.ts";
import type { Settings } from "../state/state.ts";
import { AccountPanel } from "./account.tsx";
import { RatingsPanel } from "./ratingsPanel.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

type DeskProps = ViewProps & { readonly desk: string };

/** A dialog of the browser's own: it keeps the focus, and Esc closes it. */
export function Dialog(props: {
  readonly title: string;
  readonly close: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="panel" aria-label={props.title} onClose={props.onClose}>
      <header>
        <h2>{props.title}</h2>
        <button
          type="button"
          class="btn flat"
          aria-label={props.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="x" />
        </button>
      </header>
      {props.children}
    </dialog>
  );
}

function Choice<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly values: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}): VNode {
  return (
    <label class="setting">
      <span>{props.label}</span>
      <select
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}
      >
        {props.values.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Switch(props: {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}): VNode {
  return (
    <label class="setting">
      <span>{props.label}</span>
      <input
        type="checkbox"
        checked={props.on}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
    </label>
  );
}

function SettingsPanel({ state, emit, desk }: DeskProps): VNode {
  const words = stringsOf(state);
  const { settings } = state;
  const set = (change: Partial<Settings>): void => emit({ type: "set", settings: change });
  return (
    <>
      <Choice
        label={words.language}
        value={settings.lang}
        values={[
          ["en", "English"],
          ["ja", "日本語"],
        ]}
        onChange={(lang) => set({ lang })}
      />
      <Choice
        label={words.theme}
        value={settings.theme}
        values={[
          ["system", words.system],
          ["light", words.light],
          ["dark", words.dark],
        ]}
        onChange={(theme) => set({ theme })}
      />
      <Choice
        label={words.sending}
        value={settings.sending}
        values={[
          ["auto", words.auto],
          ["at once", words.atOnce],
          ["ask", words.ask],
        ]}
        onChange={(sending) => set({ sending })}
      />
      <Switch label={words.sound} on={settings.sound} onChange={(sound) => set({ sound })} />
      <Switch label={words.notify} on={settings.notify} onChange={(notify) => set({ notify })} />
      <Switch
        label={words.letters}
        on={settings.letters}
        onChange={(letters) => set({ letters })}
      />
      <button
        type="button"
        class="btn"
        onClick={() => emit({ type: "panel", inputKey: desk, panel: "keys" })}
      >
        {words.keys}
      </button>
      {state.session.mirror.welcome !== undefined && (
        <button
          type="button"
          class="btn"
          onClick={() => emit({ type: "panel", inputKey: desk, panel: "account" })}
        >
          {words.account}
        </button>
      )}
      {state.session.mirror.welcome !== undefined && (
        <button
          type="button"
          class="btn"
          onClick={() => emit({ type: "panel", inputKey: desk, panel: "ratings" })}
        >
          {words.ratings}
        </button>
      )}
    </>
  );
}

function KeysPanel({ state }: ViewProps): VNode {
  const words = stringsOf(state);
  return (
    <table class="facts">
      <tbody>
        {KEYS.map((row) => (
          <tr key={row.help}>
            <th scope="row">
              {row.keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </th>
            <td>{words.keyHelp[row.help]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The open panel of a desk, if it is one of these. */
export function Panels(props: DeskProps): VNode | null {
  const { state, emit, desk } = props;
  const words = stringsOf(state);
  const { panel } = inputOf(state, desk);
  if (panel === "none" || panel === "more" || panel === "options") return null;
  return (
    <Dialog
      key={panel}
      title={words[panel]}
      close={words.close}
      onClose={() => emit({ type: "panel", inputKey: desk, panel: "none" })}
    >
      {panel === "settings" && <SettingsPanel {...props} />}
      {panel === "keys" && <KeysPanel {...props} />}
      {panel === "account" && <AccountPanel {...props} />}
      {panel === "ratings" && <RatingsPanel {...props} />}
    </Dialog>
  );
}
