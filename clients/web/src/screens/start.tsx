// The first page: a name, a game, one button.

import type { VNode } from "preact";
import { Icon } from "../board/index.ts";
import { gameName } from "../state/selectors.ts";
import { Dialogs } from "./dialogs.tsx";
import { GamePicture, Logo } from "./logo.tsx";
import { LangButton } from "./topBar.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** Whether a name is in the field; the server decides whether it is valid. */
function named(state: ViewProps["state"]): boolean {
  return state.session.welcomed || state.name.trim() !== "";
}

/** The logo, the project's name, the language. */
export function Masthead(props: ViewProps): VNode {
  const strings = stringsOf(props.state);
  return (
    <header class="masthead">
      <Logo size={44} />
      <div>
        <h1>BlueBear</h1>
        <p>{strings.tagline}</p>
      </div>
      <span class="space" />
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
      <input
        id="name"
        value={state.name}
        maxLength={16}
        autocomplete="nickname"
        aria-describedby="name-hint"
        aria-invalid={state.refused !== undefined}
        onInput={(event) => emit({ type: "named", name: event.currentTarget.value })}
      />
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
  const { refused, proposal } = state;
  if (refused !== undefined) {
    return (
      <div class="refused">
        <p role="alert">{refused}</p>
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
    <p class="progress mono" role="status">
      {state.script.sent.join(" · ") || stringsOf(state).connecting}
    </p>
  );
}

function Games({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  return (
    <fieldset class="games">
      <legend class="vh">{strings.game}</legend>
      {state.games.map((game) => (
        <label key={game.key} class="game-card">
          <input
            type="radio"
            name="game"
            value={game.key}
            checked={game.key === state.choice}
            onChange={() => emit({ type: "chose_game", game: game.key })}
          />
          <GamePicture game={game.key} />
          <b>{game.name[state.settings.lang]}</b>
          <small>
            {strings.players(game.seats.min, game.seats.max)}, {strings.minutes(game.minutes)}
          </small>
        </label>
      ))}
    </fieldset>
  );
}

/** My rooms; those that wait for my move come first. */
export function MyRooms({ state, emit }: ViewProps): VNode | null {
  const strings = stringsOf(state);
  const { myRooms } = state.lobby;
  if (myRooms.length === 0) return null;
  const rows = myRooms.toSorted((a, b) => Number(b.turn) - Number(a.turn));
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
                {strings.phase[room.phase as keyof typeof strings.phase] ?? room.phase} · {room.id}
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

export function Start(props: ViewProps): VNode {
  const { state, emit } = props;
  const strings = stringsOf(state);
  const busy = state.script !== undefined;
  return (
    <div class="wrap">
      <Masthead {...props} />
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
            if (named(state) && !busy) emit({ type: "play_now" });
          }}
        >
          <NameField {...props} />
          <MyRooms {...props} />
          <Games {...props} />
          <div class="doors">
            <button
              type="submit"
              class="btn act big"
              disabled={!named(state) || busy || state.choice === ""}
            >
              <Icon name="play" />
              {strings.playNow}
            </button>
            <button
              type="button"
              class="btn big"
              disabled={!named(state) || busy}
              onClick={() => emit({ type: "to_lobby" })}
            >
              {strings.toLobby}
            </button>
          </div>
          <Progress {...props} />
          <p class="quiet">{strings.playNowHint}</p>
          <p class="quiet">
            {strings.typesLines}{" "}
            <span class="mono">/newroom {state.choice} unlisted · /join · /bot · /start</span>
          </p>
        </form>
        <Dialogs {...props} inputKey="lobby" />
      </main>
    </div>
  );
}
