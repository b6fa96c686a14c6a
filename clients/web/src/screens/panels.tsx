// The panels of settings, keys and account: what dialogs show, loaded when one is opened.

import type { VNode } from "preact";
import { KEYS } from "../keys/table.ts";
import { inputOf } from "../state/lineInput.ts";
import type { Settings } from "../state/state.ts";
import { KEY_HELP } from "../strings/keyHelp.ts";
import { lazy } from "./lazy.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/panels.css";

type InputProps = ViewProps & { readonly inputKey: string };

const AccountPanel = lazy<InputProps>(() =>
  import("./account.tsx").then((loaded) => loaded.AccountPanel),
);
const LogInPanel = lazy<InputProps>(() =>
  import("./account.tsx").then((loaded) => loaded.LogInPanel),
);
const HostPanel = lazy<InputProps>(() =>
  import("./hostPanel.tsx").then((loaded) => loaded.HostPanel),
);

function SettingsPanel({ state, emit, inputKey }: InputProps): VNode {
  const strings = stringsOf(state);
  const { settings } = state;
  const set = (key: keyof Settings, value: unknown): void =>
    emit({ type: "set", settings: { [key]: value } });
  const choice = (
    key: "lang" | "theme" | "sending",
    label: string,
    values: readonly (readonly [string, string])[],
  ): VNode => (
    <label class="setting">
      <span>{label}</span>
      <select value={settings[key]} onChange={(event) => set(key, event.currentTarget.value)}>
        {values.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  const toggle = (key: "sound" | "notify" | "letters"): VNode => (
    <label class="setting">
      <span>{strings[key]}</span>
      <input
        type="checkbox"
        checked={settings[key]}
        onChange={(event) => set(key, event.currentTarget.checked)}
      />
    </label>
  );
  const door = (panel: "keys" | "account"): VNode => (
    <button type="button" class="btn" onClick={() => emit({ type: "panel", inputKey, panel })}>
      {strings[panel]}
    </button>
  );
  return (
    <>
      {choice("lang", strings.language, [
        ["en", "English"],
        ["ja", "日本語"],
      ])}
      {choice("theme", strings.theme, [
        ["system", strings.system],
        ["light", strings.light],
        ["dark", strings.dark],
      ])}
      {choice("sending", strings.sending, [
        ["auto", strings.auto],
        ["at once", strings.atOnce],
        ["ask", strings.ask],
      ])}
      {toggle("sound")}
      {toggle("notify")}
      {toggle("letters")}
      {door("keys")}
      {state.session.mirror.welcome !== undefined && door("account")}
    </>
  );
}

function KeysPanel({ state }: ViewProps): VNode {
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
            <td>{KEY_HELP[state.settings.lang][row.help]}</td>
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
    case "invite":
      return <HostPanel {...props} />;
    default:
      return null;
  }
}
