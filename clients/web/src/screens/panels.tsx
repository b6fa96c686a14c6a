// The panels of settings, keys and account: what dialogs show, loaded when one is opened.

import type { VNode } from "preact";
import { KEYS } from "../keys/table.ts";
import { inputOf } from "../state/lineInput.ts";
import type { Settings } from "../state/state.ts";
import { AccountPanel, LogInPanel } from "./account.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/panels.css";

type InputProps = ViewProps & { readonly inputKey: string };

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

/** The content of the open dialog. */
export function Panel(props: InputProps): VNode | null {
  switch (inputOf(props.state, props.inputKey).panel) {
    case "settings":
      return <SettingsPanel {...props} />;
    case "keys":
      return <KeysPanel {...props} />;
    case "account":
      return <AccountPanel {...props} />;
    case "logIn":
      return <LogInPanel {...props} />;
    default:
      return null;
  }
}
