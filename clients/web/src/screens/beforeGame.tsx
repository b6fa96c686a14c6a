// Before the game: who plays, with which options. Every control types its line.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GameBody, OptionForm } from "../board/contract.ts";
import { COLOURED_SEATS, Icon, SeatMark } from "../board/index.ts";
import { optionValue } from "../line/valueNames.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { tableOf } from "../state/selectors.ts";
import { lazy } from "./lazy.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/waiting.css";

const WaitingNotes = lazy(
  () => import("./waitingNotes.tsx").then((loaded) => loaded.WaitingNotes),
  "",
);

interface WaitingProps extends ViewProps {
  readonly room: RoomView;
  readonly inputKey: string;
  readonly body: GameBody | undefined;
}

function offers({ state, inputKey }: WaitingProps, command: string): boolean {
  return inputOf(state, inputKey).catalogue.some((item) => item.name === command);
}

function SeatRow(
  props: WaitingProps & {
    readonly seat: number;
    readonly many: boolean;
    /** The house bot that a button seats. */
    readonly bot: string;
  },
): VNode {
  const { state, emit, room, inputKey, seat, many, bot } = props;
  const strings = stringsOf(state);
  const table = tableOf(room);
  const chair = table.seats[seat];
  const isMySeat = room.eyes.includes(seat);
  const sat = table.fork?.names[seat - 1];
  const say = (text: string): void => emit({ type: "line_chosen", inputKey: inputKey, text });
  const notes = [
    chair?.name === table.host ? strings.host : undefined,
    isMySeat ? strings.you : undefined,
    chair?.human === false ? strings.bot : undefined,
    table.ready.includes(seat) ? "OK" : undefined,
  ].filter((note) => note !== undefined);
  return (
    <li class="seat-choice">
      <SeatMark seat={seat} many={many} />
      {chair === undefined ? (
        <span class="quiet">
          {strings.freeSeat}
          {sat !== undefined && <> ({strings.satHere(sat)})</>}
        </span>
      ) : (
        <b>
          <bdi>{chair.name}</bdi> <small>{notes.join(" · ")}</small>
        </b>
      )}
      <span class="space" />
      {isMySeat && offers(props, "leave") && (
        <button type="button" class="btn" onClick={() => say("/leave")}>
          {strings.standUp}
        </button>
      )}
      {chair !== undefined && !chair.human && offers(props, "bot") && (
        <button type="button" class="btn" onClick={() => say(`/bot remove ${seat}`)}>
          {strings.removeBot}
        </button>
      )}
      {chair === undefined && offers(props, "bot") && (
        <button type="button" class="btn" onClick={() => say(`/bot ${bot} ${seat}`)}>
          <Icon name="bot" size={16} />
          {strings.addBot}
        </button>
      )}
      {chair === undefined && room.eyes.length === 0 && offers(props, "join") && (
        <button type="button" class="btn" onClick={() => say(`/join ${seat}`)}>
          {strings.sitHere}
        </button>
      )}
    </li>
  );
}

function WhoPlays(props: WaitingProps): VNode {
  const { state, emit, room, inputKey, body } = props;
  const strings = stringsOf(state);
  const table = tableOf(room);
  const { fork } = table;
  const most = fork?.names.length ?? body?.seats.max ?? 0;
  const least = fork?.names.length ?? body?.seats.min ?? 1;
  const seats = Array.from({ length: most }, (_, at) => at + 1);
  const sitting = Object.keys(table.seats).length;
  const [bot, setBot] = useState("greedy");
  const mayStart = offers(props, "start");
  const say = (text: string): void => emit({ type: "line_chosen", inputKey: inputKey, text });
  return (
    <section class="card" aria-labelledby="who-plays">
      <h2 id="who-plays">{strings.whoPlays}</h2>
      {fork !== undefined && <p>{strings.forkOf(fork.id, fork.move)}</p>}
      <ul>
        {seats.map((seat) => (
          <SeatRow key={seat} {...props} seat={seat} many={most > COLOURED_SEATS} bot={bot} />
        ))}
      </ul>
      <div class="doors">
        {mayStart && (
          <button
            type="button"
            class="btn act big"
            disabled={sitting < least}
            onClick={() => say("/start")}
          >
            <Icon name="play" />
            {sitting < least ? strings.startNeeds(least) : strings.startWith(sitting)}
          </button>
        )}
        {offers(props, "invite") && (
          <button type="button" class="btn big" onClick={() => say("/invite")}>
            <Icon name="link" />
            {strings.inviteLink}
          </button>
        )}
      </div>
      <WaitingNotes
        {...props}
        mayStart={mayStart}
        bot={offers(props, "bot") && sitting < most ? bot : undefined}
        onBot={setBot}
      />
      {body !== undefined && (
        <p class="quiet">{strings.playersAndTime(least, most, body.minutes)}</p>
      )}
      <p class="quiet">
        {strings.commitment} <code>{table.commit.slice(0, 16)}…</code>
      </p>
    </section>
  );
}

/** The control of an option, by its type. */
function Control(
  props: WaitingProps & {
    readonly option: OptionForm;
    readonly value: string;
    readonly fixed: boolean;
  },
): VNode {
  const { state, emit, inputKey, option, value, fixed } = props;
  const set = (next: string): void =>
    emit({ type: "line_chosen", inputKey: inputKey, text: `/option ${option.name} ${next}` });
  const label = `option-${option.name}`;
  if (option.type === "switch") {
    return (
      <div class="segments" role="group" aria-labelledby={label}>
        {(["on", "off"] as const).map((each) => (
          <button
            key={each}
            type="button"
            class="mono"
            aria-pressed={value === each}
            disabled={fixed}
            onClick={() => set(each)}
          >
            {optionValue(option, each, state.settings.lang)}
          </button>
        ))}
      </div>
    );
  }
  if (option.type === "choice" || option.type === "clock") {
    const choices =
      option.type === "clock" ? ["off", "300+10", "900+15", "3600+30", "1d", "3d"] : option.values;
    const values = choices.includes(value) ? choices : [...choices, value];
    return (
      <select
        class="mono"
        aria-labelledby={label}
        value={value}
        disabled={fixed}
        onChange={(event) => set(event.currentTarget.value)}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {optionValue(option, each, state.settings.lang)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      class="mono"
      aria-labelledby={label}
      value={optionValue(option, value, state.settings.lang)}
      disabled={fixed}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

function Options(props: WaitingProps): VNode {
  const { state, room, body } = props;
  const strings = stringsOf(state);
  const table = tableOf(room);
  const fixed = !offers(props, "option");
  const gameOptions = body?.options ?? [];
  const general = body?.general ?? [];
  const setTo = (option: OptionForm): string => table.options[option.name] ?? option.default;
  const form = (option: OptionForm, settled: boolean): VNode => (
    <li key={option.name} class="option">
      <div>
        <b id={`option-${option.name}`} title={`/option ${option.name}`}>
          {option.label[state.settings.lang]}
        </b>
        <small>{option.help[state.settings.lang]}</small>
      </div>
      <Control {...props} option={option} value={setTo(option)} fixed={fixed || settled} />
    </li>
  );
  return (
    <section class="card" aria-labelledby="options">
      <h2 id="options">{strings.options}</h2>
      {fixed && <p class="quiet">{strings.unchanged}</p>}
      <ul>{gameOptions.map((option) => form(option, table.fork !== undefined))}</ul>
      <details open={gameOptions.length === 0}>
        <summary>
          {strings.generalOptions}{" "}
          <small class="quiet">
            {strings.changed(general.filter((option) => setTo(option) !== option.default).length)}
          </small>
        </summary>
        <ul>{general.map((option) => form(option, false))}</ul>
      </details>
    </section>
  );
}

export function BeforeGame(props: WaitingProps): VNode {
  const { state, emit, inputKey, body } = props;
  const strings = stringsOf(state);
  const summary = body?.summary?.[state.settings.lang];
  return (
    <div class="waiting">
      <WhoPlays {...props} />
      <section class="card credits">
        {summary !== undefined && <p>{summary}</p>}
        <button
          type="button"
          class="btn"
          onClick={() => emit({ type: "panel", inputKey, panel: "rules " })}
        >
          <Icon name="book" size={16} />
          {strings.allRules}
        </button>
        {body?.credits.map((credit) => (
          <p key={credit} class="quiet">
            {credit}
          </p>
        ))}
      </section>
      <Options {...props} />
    </div>
  );
}
