// The first page: a name, a game, one button.

import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { aheadOf, gameName } from "../state/selectors.ts";
import { stringFor } from "../strings/index.ts";
import { Dialogs } from "./dialogs.tsx";
import { lazy } from "./lazy.tsx";
import { GamePicture, Logo } from "./logo.tsx";
import { PageLink } from "./pageLink.tsx";
import { LangButton } from "./topBar.tsx";
import { resumeText, stringsOf, type ViewProps } from "./viewProps.ts";

/** Narrower windows have no showcase. */
const WIDE = 1024;

/** Whether the lobby is open: a name is in the field; the server decides whether it is valid. */
function mayEnter({ session, name, script }: ViewProps["state"]): boolean {
  return (session.welcomed || name.trim() !== "") && script === undefined;
}

/** Whether a game can be begun: one is chosen, too. */
function mayPlay(state: ViewProps["state"]): boolean {
  return mayEnter(state) && state.choice !== "";
}

/** The logo, the project's name, the language; `title`: where no other heading is on the screen. */
export function Masthead(
  props: ViewProps & { readonly title?: boolean; readonly children?: ComponentChildren },
): VNode {
  const { title = true } = props;
  const strings = stringsOf(props.state);
  return (
    <header class="masthead">
      <Logo size={title ? 44 : 36} />
      {title ? (
        <div>
          <h1>BlueBear</h1>
          <p>{strings.tagline}</p>
        </div>
      ) : (
        <b class="brand">BlueBear</b>
      )}
      <span class="space" />
      {props.children}
      <LangButton {...props} />
      <button
        type="button"
        class="btn flat"
        aria-label={strings.settings}
        onClick={() => props.emit({ type: "panel", inputKey: "lobby", panel: "settings" })}
      >
        <Icon name="sun" />
      </button>
    </header>
  );
}

/** The name: a field before the server has welcomed us, a line of text afterwards. */
export function NameField({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  if (state.session.welcomed) {
    return (
      <p class="known-name">
        {strings.yourName}: <b>{state.name}</b>
      </p>
    );
  }
  return (
    <div class="name-field">
      <label for="name">{strings.yourName}</label>
      <div class="name-box">
        <input
          id="name"
          value={state.name}
          maxLength={16}
          autocomplete="nickname"
          aria-describedby="name-hint"
          aria-invalid={state.refused !== undefined}
          onInput={(event) => emit({ type: "named", name: event.currentTarget.value })}
        />
        <button type="button" class="btn flat" onClick={() => emit({ type: "renamed" })}>
          {strings.anotherName}
        </button>
      </div>
      <small id="name-hint">{strings.nameHint}</small>
      {state.entry !== undefined && (
        <>
          <label for="entry">{strings.entryPassword}</label>
          <input
            id="entry"
            type="password"
            value={state.entry}
            autocomplete="off"
            onInput={(event) => emit({ type: "entry_typed", password: event.currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}

/** The reason of the refusal, and the lines that the script has sent so far. */
export function Progress({ state, emit }: ViewProps): VNode | null {
  const { refused, proposal, inputs } = state;
  if (refused !== undefined) {
    // The server's sentence about a password names a line, where the page has a field.
    const { code, text } = inputs.lobby?.refusal ?? {};
    const isPassword = text === refused && /^(wrong_password|password_wanted)$/.test(code ?? "");
    return (
      <div class="refused">
        <p role="alert">{isPassword ? stringsOf(state).passwordWanted : refused}</p>
        {proposal !== undefined && (
          <button
            type="button"
            id="proposal"
            class="btn act"
            onClick={() => emit({ type: "proposal_accepted" })}
          >
            {stringsOf(state).takeName(proposal.name)}
          </button>
        )}
      </div>
    );
  }
  if (state.script === undefined) return null;
  return (
    <p class="progress" role="status">
      {resumeText(state) ?? stringsOf(state).connecting}
    </p>
  );
}

/** The games from easy to hard, with their weight of 4; others come after them. */
const WEIGHTS: Readonly<Record<string, number>> = {
  railroad_ink: 1,
  manhattan: 2,
  tokugawa: 3,
  tokai: 3,
  itc: 4,
};
const ORDER = Object.keys(WEIGHTS);

/** The cover of a game, a file of its own; the small picture of a game without one. */
export function Cover({ game }: { readonly game: string }): VNode {
  if (!Object.hasOwn(WEIGHTS, game)) return <GamePicture game={game} />;
  return <img class="cover" src={`/covers/${game}.svg`} width={320} height={200} alt="" />;
}

function Weight({ state, game }: Pick<ViewProps, "state"> & { readonly game: string }) {
  const weight = WEIGHTS[game];
  if (weight === undefined) return null;
  return (
    <span class="weight" role="img" aria-label={stringsOf(state).weight(weight)}>
      {"●".repeat(weight) + "○".repeat(4 - weight)}
    </span>
  );
}

function Games({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  const rankOf = (key: string): number =>
    (ORDER.indexOf(key) + ORDER.length + 1) % (ORDER.length + 1);
  const games = state.games.toSorted((a, b) => rankOf(a.key) - rankOf(b.key));
  return (
    <fieldset class="games covers">
      <legend>
        {strings.pickGame} <small>{strings.easyToHard}</small>
      </legend>
      {games.map((game) => {
        const blurb = stringFor(strings.blurbs, game.key);
        return (
          <label key={game.key} class="game-card">
            <input
              type="radio"
              name="game"
              value={game.key}
              checked={game.key === state.choice}
              onChange={() => emit({ type: "chose_game", game: game.key })}
            />
            <Cover game={game.key} />
            {blurb !== undefined && <span class="mood">{blurb.mood}</span>}
            <b>{game.name[state.settings.lang]}</b>
            {blurb !== undefined && <span class="blurb">{blurb.about}</span>}
            <small>
              {strings.players(game.seats.min, game.seats.max)}, {strings.minutes(game.minutes)}
              <Weight state={state} game={game.key} />
            </small>
          </label>
        );
      })}
    </fieldset>
  );
}

/** My rooms whose game is not over, in the order of the server: my turn first. */
export function MyRooms({ state, emit }: ViewProps): VNode | null {
  const strings = stringsOf(state);
  const { myRooms } = state.lobby;
  const rows = myRooms.filter(({ phase }) => phase !== "over");
  if (rows.length === 0) return null;
  return (
    <section class="own-rooms" aria-labelledby="own-rooms">
      <h2 id="own-rooms">{strings.yourGames}</h2>
      <ul>
        {rows.map((room) => (
          <li key={room.id} class="row">
            <GamePicture game={room.game} />
            <div class="row-what">
              <b>{gameName(state, room.game)}</b>{" "}
              {room.turn && <span class="badge">{strings.yourTurn}</span>}
              <small>
                {stringFor(strings.phase, room.phase)} · {room.id}
              </small>
            </div>
            <p class="row-who">
              {room.seats.map((name) => (
                <bdi key={name}>{name}</bdi>
              ))}
            </p>
            <button
              type="button"
              class={room.turn ? "btn act" : "btn"}
              onClick={() => emit({ type: "watch", room: room.id })}
            >
              {strings.goOn}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The ways to play; the first is the filled button. */
function Doors({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  const may = mayPlay(state);
  const { welcomed } = state.session;
  const door = (type: "learn" | "play_with_friend" | "find_game", label: ComponentChildren) => (
    <button type="button" class="btn big" disabled={!may} onClick={() => emit({ type })}>
      {label}
    </button>
  );
  useEffect(
    () =>
      emit({
        type: "requested",
        key: "/learn",
        what: "query",
        args: { text: "/learn" },
        again: true,
      }),
    [welcomed, state.settings.lang],
  );
  return (
    <div class="doors">
      <button type="submit" class="btn act big play" disabled={!may}>
        <Icon name="play" />
        <span>
          {strings.playNow}
          <small>{strings.againstBot(gameName(state, state.choice))}</small>
        </span>
      </button>
      {door(
        "learn",
        <>
          {strings.learn}
          <small>{aheadOf(state)?.label}</small>
        </>,
      )}
      {door(
        "play_with_friend",
        <>
          <Icon name="link" />
          {strings.playWithFriend}
        </>,
      )}
      {door("find_game", strings.findGame)}
    </div>
  );
}

const LivingBoard = lazy(() => import("./livingBoard.tsx").then((loaded) => loaded.LivingBoard));

export function Start(props: ViewProps): VNode {
  const { state, emit } = props;
  const strings = stringsOf(state);
  const may = mayPlay(state);
  const { welcomed } = state.session;
  return (
    <div class="wrap">
      <Masthead {...props} title={false}>
        <button
          type="button"
          class="btn flat lobby-door"
          disabled={!mayEnter(state)}
          onClick={() => emit({ type: "to_lobby" })}
        >
          {strings.toLobby}
        </button>
        {/* Who could not log in may try again. */}
        {welcomed && !state.refused ? (
          <PageLink emit={emit} to={{ at: "me" }} class="btn flat">
            {strings.yourGames}
          </PageLink>
        ) : (
          <button
            type="button"
            class="btn"
            onClick={() => emit({ type: "panel", inputKey: "lobby", panel: "logIn" })}
          >
            {strings.logIn}
          </button>
        )}
      </Masthead>
      <main>
        {state.away && (
          <p class="refused" role="status">
            {strings.serverAway}
          </p>
        )}
        <form
          class="start"
          onSubmit={(event) => {
            event.preventDefault();
            if (may) emit({ type: "play_now" });
          }}
        >
          <div class="hero">
            <div class="pitch">
              <h1>{strings.headline}</h1>
              <p class="sub">{strings.pitch}</p>
              <NameField {...props} />
              <Doors {...props} />
              <Progress {...props} />
            </div>
            <div class="showcase">
              {state.choice !== "" && <Cover game={state.choice} />}
              {/* Loaded once a game is chosen: then one can play already. */}
              {may && innerWidth >= WIDE && <LivingBoard {...props} />}
            </div>
          </div>
          <MyRooms {...props} />
          <Games {...props} />
        </form>
        <Dialogs {...props} inputKey="lobby" />
      </main>
    </div>
  );
}
