// The account: a form for each of its commands. The form sends a line like any other; a password
// stays in its field and goes with the line, which is shown and stored masked.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { inputOf } from "../state/lineInput.ts";
import { accountStrings } from "../strings/account.ts";
import { resumeText, stringsOf, type ViewProps } from "./viewProps.ts";

type InputProps = ViewProps & { readonly inputKey: string };

/** A form with a password, and what to do with its fields. */
function PasswordForm(
  props: Pick<InputProps, "state"> & {
    readonly title: string;
    readonly hint: string;
    readonly asksName?: boolean;
    readonly secret: "new-password" | "current-password";
    readonly take: (password: string, name: string) => void;
  },
): VNode {
  const { state, title, hint, asksName = false, secret } = props;
  const strings = stringsOf(state);
  const labels = accountStrings(state.settings.lang);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const ready = password && (!asksName || name.trim());
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        props.take(password, name.trim());
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
          placeholder={labels.accountPassword}
          aria-label={labels.accountPassword}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <button type="submit" class="btn act" disabled={!ready}>
          {title}
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
  const given = SCOPES.filter((scope) => scopes.includes(scope)).join(",") || "read";
  return given === USUAL.join(",") ? `/token ${name}` : `/token ${name} ${given}`;
}

/** A bot's name, and the scopes of its token. */
function BotForm({ state, emit, inputKey }: InputProps): VNode {
  const strings = stringsOf(state);
  const labels = accountStrings(state.settings.lang);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(USUAL);
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        emit({ type: "line_chosen", inputKey: inputKey, text: tokenLine(name.trim(), scopes) });
      }}
    >
      <h3>{labels.myBots}</h3>
      <p class="quiet">{labels.myBotsHint}</p>
      <div class="fields">
        <input
          value={name}
          autocomplete="off"
          placeholder={strings.name}
          aria-label={strings.name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="btn act" disabled={name.trim() === ""}>
          {labels.makeToken}
        </button>
      </div>
      <fieldset class="scopes">
        <legend class="quiet">{labels.botMay}</legend>
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
            {labels.scopeName[scope]}
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
  const text = refusal?.text ?? since.findLast((line) => line.kind === "note")?.text;
  if (pending !== undefined || text === undefined) return null;
  return (
    <output class={refusal === undefined ? "answered" : "answered wrong"}>
      {text.split("\n").map((line) => (
        <span key={line}>{line}</span>
      ))}
    </output>
  );
}

/**
 * Before the server knows who we are: the page comes in as a guest, and logs in then. Open until that
 * has succeeded.
 */
export function LogInPanel({ state, emit }: InputProps): VNode {
  const text = resumeText(state) ?? state.refused;
  return (
    <div class="account">
      <PasswordForm
        state={state}
        title={stringsOf(state).logIn}
        hint={accountStrings(state.settings.lang).logInHint}
        asksName
        secret="current-password"
        take={(password, name) => emit({ type: "log_in", name, password })}
      />
      {text && <output class="answered wrong">{text}</output>}
    </div>
  );
}

/** The line that only registered people may send. */
const TOKENS = "/tokens";

/** Whether my name is registered; while it is not, asked again after each line and note. */
function useRegistered({ state, emit, inputKey }: InputProps): boolean {
  const { log } = inputOf(state, inputKey);
  useEffect(
    () => emit({ type: "requested", key: TOKENS, what: "query", args: { text: TOKENS } }),
    [log],
  );
  return state.requests[TOKENS]?.body !== undefined;
}

export function AccountPanel(props: InputProps): VNode {
  const { state, emit, inputKey } = props;
  const strings = stringsOf(state);
  const labels = accountStrings(state.settings.lang);
  const isRegistered = useRegistered(props);
  const say = (text: string): void => emit({ type: "line_chosen", inputKey: inputKey, text });
  return (
    <div class="account">
      <LastReply {...props} />
      <p>
        {labels.youAre} <b>{state.session.mirror.welcome?.name}</b>
      </p>
      <PasswordForm
        state={state}
        title={isRegistered ? labels.changePassword : labels.register}
        hint={labels.registerHint}
        secret="new-password"
        take={(password) => say(`/register ${password}`)}
      />
      <PasswordForm
        state={state}
        title={strings.logIn}
        hint={labels.logInHint}
        asksName
        secret="current-password"
        take={(password, name) => say(`/login ${name} ${password}`)}
      />
      <div class="account-form">
        <h3>{labels.logOut}</h3>
        <p class="quiet">{labels.logOutHint}</p>
        <div class="fields">
          <button type="button" class="btn" onClick={() => say("/logout")}>
            {labels.logOutHere}
          </button>
          <button type="button" class="btn" onClick={() => say("/logout all")}>
            {labels.logOutEverywhere}
          </button>
        </div>
      </div>
      <BotForm {...props} />
      <div class="fields">
        <button type="button" class="btn" onClick={() => say(TOKENS)}>
          {labels.listTokens}
        </button>
      </div>
    </div>
  );
}
