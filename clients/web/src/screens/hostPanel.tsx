// What the host of a room does: people, the password, an invite link. Every button types its line.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { seatNamed, tableOf } from "../state/selectors.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

const LABELS = {
  en: {
    people: "People",
    alone: "You are alone in this room.",
    pass: "Make host",
    out: "Send out",
    cancel: "Cancel",
    passTo: (name: string) => `Make ${name} the host instead of you?`,
    sendOut: (name: string) => `Send ${name} out of this room?`,
    botPlays: "A bot plays on in that seat.",
    playersVote: "The players vote on it.",
    noPassword: "No password is set.",
    unreadable:
      "A password is set. It cannot be shown: the server stores no readable copy, and it was not set on this page. A new one replaces it.",
    set: "Set",
    remove: "Remove",
    reserved: "This word takes the password away: choose another one.",
    makeLink: "Make a link",
  },
  ja: {
    people: "参加者",
    alone: "ほかには誰もいません。",
    pass: "ホストを譲る",
    out: "退室させる",
    cancel: "やめる",
    passTo: (name: string) => `${name}にホストを譲りますか?`,
    sendOut: (name: string) => `${name}を退室させますか?`,
    botPlays: "席はボットが引き継ぎます。",
    playersVote: "対局している人の投票で決まります。",
    noPassword: "合言葉はありません。",
    unreadable:
      "合言葉があります。サーバーは読める形で残さず、このページで決めたものでもないため、表示できません。新しく決めると置き換わります。",
    set: "決める",
    remove: "取り消す",
    reserved: "この言葉は合言葉の取り消しに使うので、ほかの言葉にしてください。",
    makeLink: "リンクを作る",
  },
} as const;

interface HostProps extends ViewProps {
  readonly inputKey: string;
}

/** Takes the focus once it is drawn, in the place of the button that was pressed. */
const focused = (element: HTMLElement | null): void => element?.focus();

/** What a confirmed button does to a person. */
type Act = "host" | "kick";

/** What else happens to a player who is sent out of a running game. */
function consequence(props: HostProps, room: RoomView, name: string): string {
  const table = tableOf(room);
  const labels = LABELS[props.state.settings.lang];
  const running = table.phase === "playing" || table.phase === "paused";
  if (!running || seatNamed(table, name) === undefined) return "";
  return seatNamed(table, props.state.name) === undefined ? labels.playersVote : labels.botPlays;
}

/** A person, with what the host may do; each act is pending for once more. */
function Person(props: HostProps & { readonly room: RoomView; readonly name: string }): VNode {
  const { state, emit, inputKey, room, name } = props;
  const labels = LABELS[state.settings.lang];
  const [pending, setPending] = useState<Act>();
  const chair = Object.values(tableOf(room).seats).find((each) => each.name === name);
  const act = (what: Act, label: string): VNode => (
    <button type="button" class="btn" onClick={() => setPending(what)}>
      {label}
    </button>
  );
  if (pending === undefined)
    return (
      <li class="setting">
        <bdi>{name}</bdi>
        <span class="fields">
          {chair?.human !== false && room.here.includes(name) && act("host", labels.pass)}
          {act("kick", labels.out)}
        </span>
      </li>
    );
  const question = pending === "host" ? labels.passTo : labels.sendOut;
  return (
    <li class="setting">
      <span role="alert">
        {question(name)} {pending === "kick" && consequence(props, room, name)}
      </span>
      <span class="fields">
        <button type="button" class="btn" onClick={() => setPending(undefined)}>
          {labels.cancel}
        </button>
        <button
          type="button"
          class="btn act"
          ref={focused}
          onClick={() => {
            emit({ type: "line_chosen", inputKey, text: `/${pending} ${name} !` });
            setPending(undefined);
          }}
        >
          {pending === "host" ? labels.pass : labels.out}
        </button>
      </span>
    </li>
  );
}

/** A text to copy, by a button or by hand. */
function CopyField({
  state,
  emit,
  label,
  text,
}: ViewProps & { readonly label: string; readonly text: string }): VNode {
  const strings = stringsOf(state);
  const { copied } = state;
  return (
    <div class="fields">
      <input
        class="mono"
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" class="btn" onClick={() => emit({ type: "copied", text })}>
        <Icon name="copy" size={16} />
        {copied?.done && copied.text === text ? strings.copied : strings.copy}
      </button>
    </div>
  );
}

/** The words that take a password away. */
const NONE = /^(none|なし)$/i;

/** The room's password, as far as this page has set it, and a field for another one. */
function Password(props: HostProps & { readonly room: RoomView }): VNode {
  const { state, emit, inputKey, room } = props;
  const strings = stringsOf(state);
  const labels = LABELS[state.settings.lang];
  const [next, setNext] = useState("");
  const { locked } = tableOf(room);
  const password = state.passwords[room.id];
  const say = (text: string): void => {
    emit({ type: "line_chosen", inputKey, text: `/password ${text}` });
    setNext("");
  };
  return (
    <form
      class="account-form account"
      onSubmit={(event) => {
        event.preventDefault();
        if (next.trim() !== "") say(next.trim());
      }}
    >
      <h3>{strings.password}</h3>
      {locked && password !== undefined ? (
        <CopyField {...props} label={strings.password} text={password} />
      ) : (
        <p class="quiet">{locked ? labels.unreadable : labels.noPassword}</p>
      )}
      <div class="fields">
        <input
          value={next}
          autocomplete="off"
          aria-label={strings.password}
          onInput={({ currentTarget: field }) => {
            const isReserved = NONE.test(field.value.normalize("NFKC").trim());
            field.setCustomValidity(isReserved ? labels.reserved : "");
            setNext(field.value);
          }}
        />
        <button type="submit" class="btn" disabled={next.trim() === ""}>
          {labels.set}
        </button>
        {locked && (
          <button type="button" class="btn" onClick={() => say("none")}>
            {labels.remove}
          </button>
        )}
      </div>
    </form>
  );
}

export function HostPanel(props: HostProps): VNode | null {
  const { state, emit, inputKey } = props;
  const strings = stringsOf(state);
  const labels = LABELS[state.settings.lang];
  const room = state.session.mirror.rooms[inputKey];
  if (room === undefined) return null;
  // House bots are no people; a bot of a person is.
  const seated = Object.values(tableOf(room).seats).filter(({ human, bot }) => human || !bot);
  const names = new Set([...seated.map(({ name }) => name), ...room.here]);
  names.delete(state.name);
  const { invite, refusal } = inputOf(state, inputKey);
  return (
    <div class="account">
      <section>
        <h3>{labels.people}</h3>
        {names.size === 0 && <p class="quiet">{labels.alone}</p>}
        <ul>
          {[...names].map((name) => (
            <Person key={name} {...props} room={room} name={name} />
          ))}
        </ul>
      </section>
      <Password {...props} room={room} />
      <section class="account-form account">
        <h3>{strings.inviteLink}</h3>
        {invite && <CopyField {...props} label={strings.inviteLink} text={invite} />}
        <button
          type="button"
          class="btn"
          onClick={() => emit({ type: "line_chosen", inputKey, text: "/invite" })}
        >
          <Icon name="link" size={16} />
          {labels.makeLink}
        </button>
      </section>
      {refusal && <output class="answered wrong">{refusal.text}</output>}
    </div>
  );
}
