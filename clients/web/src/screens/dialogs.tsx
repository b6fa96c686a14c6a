// Dialogs above the page: settings, keys. Esc closes them.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { KEYS } from "../keys/table.ts";
import { inputOf } from "../state/lineInput.ts";
import type { Settings } from "../state/state.ts";
import { AccountPanel } from "./account.tsx";
import { RatingsPanel } from "./ratingsPanel.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

type InputProps = ViewProps & { readonly inputKey: string };

/** A native dialog: it traps the focus, and Esc closes it. */
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

function SettingsPanel({ state, emit, inputKey }: InputProps): VNode {
  const strings = stringsOf(state);
  const { settings } = state;
  const set = (change: Partial<Settings>): void => emit({ type: "set", settings: change });
  return (
    <>
      <Choice
        label={strings.language}
        value={settings.lang}
        values={[
          ["en", "English"],
          ["ja", "日本語"],
        ]}
        onChange={(lang) => set({ lang })}
      />
      <Choice
        label={strings.theme}
        value={settings.theme}
        values={[
          ["system", strings.system],
          ["light", strings.light],
          ["dark", strings.dark],
        ]}
        onChange={(theme) => set({ theme })}
      />
      <Choice
        label={strings.sending}
        value={settings.sending}
        values={[
          ["auto", strings.auto],
          ["at once", strings.atOnce],
          ["ask", strings.ask],
        ]}
        onChange={(sending) => set({ sending })}
      />
      <Switch label={strings.sound} on={settings.sound} onChange={(sound) => set({ sound })} />
      <Switch label={strings.notify} on={settings.notify} onChange={(notify) => set({ notify })} />
      <Switch
        label={strings.letters}
        on={settings.letters}
        onChange={(letters) => set({ letters })}
      />
      <button
        type="button"
        class="btn"
        onClick={() => emit({ type: "panel", inputKey: inputKey, panel: "keys" })}
      >
        {strings.keys}
      </button>
      {state.session.mirror.welcome !== undefined && (
        <button
          type="button"
          class="btn"
          onClick={() => emit({ type: "panel", inputKey: inputKey, panel: "account" })}
        >
          {strings.account}
        </button>
      )}
      {state.session.mirror.welcome !== undefined && (
        <button
          type="button"
          class="btn"
          onClick={() => emit({ type: "panel", inputKey: inputKey, panel: "ratings" })}
        >
          {strings.ratings}
        </button>
      )}
    </>
  );
}

function KeysPanel({ state }: ViewProps): VNode {
  const strings = stringsOf(state);
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
            <td>{strings.keyHelp[row.help]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The open dialog of an input, if any. */
export function Dialogs(props: InputProps): VNode | null {
  const { state, emit, inputKey } = props;
  const strings = stringsOf(state);
  const { panel } = inputOf(state, inputKey);
  if (panel === "none" || panel === "more" || panel === "menu" || panel === "options") return null;
  return (
    <Dialog
      key={panel}
      title={strings[panel]}
      close={strings.close}
      onClose={() => emit({ type: "panel", inputKey: inputKey, panel: "none" })}
    >
      {panel === "settings" && <SettingsPanel {...props} />}
      {panel === "keys" && <KeysPanel {...props} />}
      {panel === "account" && <AccountPanel {...props} />}
      {panel === "ratings" && <RatingsPanel {...props} />}
    </Dialog>
  );
}
