// The account: a form for each of its commands. The form sends a line like any other; a password
// stays in its field and goes with the line, which is shown and stored masked.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { inputOf } from "../state/lineInput.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

type InputProps = ViewProps & { readonly inputKey: string };

/**
 * A form that sends one line with a password: `line` builds it from the field, or from both fields.
 */
function LineOf(
  props: InputProps & {
    readonly title: string;
    readonly hint: string;
    readonly asksName?: boolean;
    readonly secret: "new-password" | "current-password";
    readonly button: string;
    readonly line?: (name: string, password: string) => string;
    /** Instead of a line: what to do with both fields. */
    readonly take?: (name: string, password: string) => void;
  },
): VNode {
  const { state, emit, inputKey, title, hint, asksName = false, secret } = props;
  const strings = stringsOf(state);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const ready = (!asksName || name.trim() !== "") && password !== "";
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready) return;
        const text = props.line?.(name.trim(), password);
        if (text !== undefined) emit({ type: "line_chosen", inputKey: inputKey, text });
        props.take?.(name.trim(), password);
        setPassword("");
      }}
    >
      <h3>{title}</h3>
      <p class="quiet">{hint}</p>
      <div class="fields">
        {asksName && (
          <input
            value={name}
            autocomplete="username"
            placeholder={strings.name}
            aria-label={strings.name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
        <input
          type="password"
          value={password}
          autocomplete={secret}
          placeholder={strings.accountPassword}
          aria-label={strings.accountPassword}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <button type="submit" class="btn act" disabled={!ready}>
          {props.button}
        </button>
      </div>
    </form>
  );
}

const SCOPES = ["chat", "play", "host"] as const;
type Scope = (typeof SCOPES)[number];
const USUAL: readonly Scope[] = ["chat", "play"];

/** The line that creates a bot; every bot may watch. */
export function tokenLine(name: string, scopes: readonly Scope[]): string {
  if (scopes.length === USUAL.length && USUAL.every((scope) => scopes.includes(scope))) {
    return `/token ${name}`;
  }
  return `/token ${name} ${SCOPES.filter((scope) => scopes.includes(scope)).join(",") || "read"}`;
}

/** A bot's name, and the scopes of its token. */
function BotForm({ state, emit, inputKey }: InputProps): VNode {
  const strings = stringsOf(state);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(USUAL);
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "")
          emit({ type: "line_chosen", inputKey: inputKey, text: tokenLine(name.trim(), scopes) });
      }}
    >
      <h3>{strings.myBots}</h3>
      <p class="quiet">{strings.myBotsHint}</p>
      <div class="fields">
        <input
          value={name}
          autocomplete="off"
          placeholder={strings.name}
          aria-label={strings.name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="btn act" disabled={name.trim() === ""}>
          {strings.makeToken}
        </button>
      </div>
      <fieldset class="scopes">
        <legend class="quiet">{strings.botMay}</legend>
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) => {
                const otherScopes = scopes.filter((each) => each !== scope);
                setScopes(event.currentTarget.checked ? [...otherScopes, scope] : otherScopes);
              }}
            />{" "}
            {strings.scopeName[scope]}
          </label>
        ))}
      </fieldset>
    </form>
  );
}

/**
 * The server's reply to the last line since the dialog was opened: a refusal, or the newest notes.
 */
function LastReply({ state, inputKey }: InputProps): VNode | null {
  const { refusal, log, pending } = inputOf(state, inputKey);
  const [before] = useState(log.at(-1)?.key);
  const since = log.slice(log.findIndex((line) => line.key === before) + 1);
  const notes = since.filter((line) => line.kind === "note");
  const text = refusal?.text ?? notes.at(-1)?.text;
  if (pending !== undefined || text === undefined) return null;
  return (
    <output class={refusal === undefined ? "answered" : "answered wrong"}>
      {text.split("\n").map((line) => (
        <span key={line}>{line}</span>
      ))}
    </output>
  );
}

/** Before the server knows who we are: the page comes in as a guest, and logs in then. */
export function LogInPanel(props: InputProps): VNode {
  const { state, emit, inputKey } = props;
  const strings = stringsOf(state);
  return (
    <div class="account">
      <LineOf
        {...props}
        title={strings.logIn}
        hint={strings.logInHint}
        asksName
        secret="current-password"
        button={strings.logIn}
        take={(name, password) => {
          emit({ type: "panel", inputKey, panel: "none" });
          emit({ type: "log_in", name, password });
        }}
      />
    </div>
  );
}

export function AccountPanel(props: InputProps): VNode {
  const { state, emit, inputKey } = props;
  const strings = stringsOf(state);
  const say = (text: string): void => emit({ type: "line_chosen", inputKey: inputKey, text });
  return (
    <div class="account">
      <LastReply {...props} />
      <p>
        {strings.youAre} <b>{state.session.mirror.welcome?.name}</b>
      </p>
      <LineOf
        {...props}
        title={strings.register}
        hint={strings.registerHint}
        secret="new-password"
        button={strings.register}
        line={(_, password) => `/register ${password}`}
      />
      <LineOf
        {...props}
        title={strings.logIn}
        hint={strings.logInHint}
        asksName
        secret="current-password"
        button={strings.logIn}
        line={(name, password) => `/login ${name} ${password}`}
      />
      <div class="account-form">
        <h3>{strings.logOut}</h3>
        <p class="quiet">{strings.logOutHint}</p>
        <div class="fields">
          <button type="button" class="btn" onClick={() => say("/logout")}>
            {strings.logOutHere}
          </button>
          <button type="button" class="btn" onClick={() => say("/logout all")}>
            {strings.logOutEverywhere}
          </button>
        </div>
      </div>
      <BotForm {...props} />
      <div class="fields">
        <button type="button" class="btn" onClick={() => say("/tokens")}>
          {strings.listTokens}
        </button>
      </div>
    </div>
  );
}
