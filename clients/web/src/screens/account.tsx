// One's account: a form for each of its lines. What is typed here is said as a line, like all
// else; a password stays in its field and goes with the line, which is shown and kept masked.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { inputOf } from "../state/lineInput.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

type DeskProps = ViewProps & { readonly desk: string };

/** A form that says one line with a password: `line` makes it of the field, or of both. */
function LineOf(
  props: DeskProps & {
    readonly title: string;
    readonly hint: string;
    readonly asksName?: boolean;
    readonly secret: "new-password" | "current-password";
    readonly button: string;
    readonly line: (name: string, password: string) => string;
  },
): VNode {
  const { state, emit, desk, title, hint, asksName = false, secret } = props;
  const words = stringsOf(state);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const ready = (!asksName || name.trim() !== "") && password !== "";
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready) return;
        emit({ type: "said", inputKey: desk, text: props.line(name.trim(), password) });
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
            placeholder={words.name}
            aria-label={words.name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
        <input
          type="password"
          value={password}
          autocomplete={secret}
          placeholder={words.accountPassword}
          aria-label={words.accountPassword}
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

/** The line that makes a bot; whatever it may do, it may look on. */
export function tokenLine(name: string, scopes: readonly Scope[]): string {
  if (scopes.length === USUAL.length && USUAL.every((scope) => scopes.includes(scope))) {
    return `/token ${name}`;
  }
  return `/token ${name} ${SCOPES.filter((scope) => scopes.includes(scope)).join(",") || "read"}`;
}

/** A bot's name, and what its token is to let it do. */
function BotForm({ state, emit, desk }: DeskProps): VNode {
  const words = stringsOf(state);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(USUAL);
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "")
          emit({ type: "said", inputKey: desk, text: tokenLine(name.trim(), scopes) });
      }}
    >
      <h3>{words.myBots}</h3>
      <p class="quiet">{words.myBotsHint}</p>
      <div class="fields">
        <input
          value={name}
          autocomplete="off"
          placeholder={words.name}
          aria-label={words.name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="btn act" disabled={name.trim() === ""}>
          {words.makeToken}
        </button>
      </div>
      <fieldset class="scopes">
        <legend class="quiet">{words.botMay}</legend>
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) => {
                const others = scopes.filter((each) => each !== scope);
                setScopes(event.currentTarget.checked ? [...others, scope] : others);
              }}
            />{" "}
            {words.scopeName[scope]}
          </label>
        ))}
      </fieldset>
    </form>
  );
}

/** What the server said to the last line since this is open: a refusal, or the newest words. */
function Answered({ state, desk }: DeskProps): VNode | null {
  const { refusal, log, pending } = inputOf(state, desk);
  const [before] = useState(log.at(-1)?.key);
  const since = log.slice(log.findIndex((line) => line.key === before) + 1);
  const told = since.filter((line) => line.kind === "note");
  const text = refusal?.text ?? told.at(-1)?.text;
  if (pending !== undefined || text === undefined) return null;
  return (
    <output class={refusal === undefined ? "answered" : "answered wrong"}>
      {text.split("\n").map((line) => (
        <span key={line}>{line}</span>
      ))}
    </output>
  );
}

export function AccountPanel(props: DeskProps): VNode {
  const { state, emit, desk } = props;
  const words = stringsOf(state);
  const say = (text: string): void => emit({ type: "said", inputKey: desk, text });
  return (
    <div class="account">
      <Answered {...props} />
      <p>
        {words.youAre} <b>{state.session.mirror.welcome?.name}</b>
      </p>
      <LineOf
        {...props}
        title={words.register}
        hint={words.registerHint}
        secret="new-password"
        button={words.register}
        line={(_, password) => `/register ${password}`}
      />
      <LineOf
        {...props}
        title={words.logIn}
        hint={words.logInHint}
        asksName
        secret="current-password"
        button={words.logIn}
        line={(name, password) => `/login ${name} ${password}`}
      />
      <div class="account-form">
        <h3>{words.logOut}</h3>
        <p class="quiet">{words.logOutHint}</p>
        <div class="fields">
          <button type="button" class="btn" onClick={() => say("/logout")}>
            {words.logOutHere}
          </button>
          <button type="button" class="btn" onClick={() => say("/logout all")}>
            {words.logOutEverywhere}
          </button>
        </div>
      </div>
      <BotForm {...props} />
      <div class="fields">
        <button type="button" class="btn" onClick={() => say("/tokens")}>
          {words.listTokens}
        </button>
      </div>
    </div>
  );
}
