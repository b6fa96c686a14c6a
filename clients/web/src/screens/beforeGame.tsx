// Before the game: who plays, with what options. Every control types its line.

import type { VNode } from "preact";
import type { GameBody, OptionForm } from "../board/contract.ts";
import { Icon, SeatMark } from "../board/index.ts";
import { optionValue } from "../line/valueNames.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { tableOf } from "../state/selectors.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

interface WaitingProps extends ViewProps {
  readonly room: RoomView;
  readonly desk: string;
  readonly body: GameBody | undefined;
}

function offers({ state, desk }: WaitingProps, command: string): boolean {
  return inputOf(state, desk).catalogue.some((item) => item.name === command);
}

function SeatRow(props: WaitingProps & { readonly seat: number; readonly many: boolean }): VNode {
  const { state, emit, room, desk, seat, many } = props;
  const words = stringsOf(state);
  const table = tableOf(room);
  const chair = table.seats[seat];
  const mine = room.eyes.includes(seat);
  const sat = table.fork?.names[seat - 1];
  const say = (text: string): void => emit({ type: "said", inputKey: desk, text });
  const notes = [
    chair?.name === table.host ? words.host : undefined,
    mine ? words.you : undefined,
    chair !== undefined && !chair.human ? words.bot : undefined,
  ].filter((note) => note !== undefined);
  return (
    <li class="seat-choice">
      <SeatMark seat={seat} many={many} />
      {chair === undefined ? (
        <span class="quiet">
          {words.freeSeat}
          {sat !== undefined && <> ({words.satHere(sat.replace(/^bot:/, "@"))})</>}
        </span>
      ) : (
        <b>
          <bdi>{chair.name}</bdi> <small>{notes.join(" · ")}</small>
        </b>
      )}
      <span class="space" />
      {mine && offers(props, "leave") && (
        <button type="button" class="btn" onClick={() => say("/leave")}>
          {words.standUp}
        </button>
      )}
      {chair !== undefined && !chair.human && offers(props, "bot") && (
        <button type="button" class="btn" onClick={() => say(`/bot remove ${seat}`)}>
          {words.removeBot}
        </button>
      )}
      {chair === undefined && offers(props, "bot") && (
        <button type="button" class="btn" onClick={() => say(`/bot greedy ${seat}`)}>
          <Icon name="bot" size={16} />
          {words.addBot}
        </button>
      )}
      {chair === undefined && room.eyes.length === 0 && offers(props, "join") && (
        <button type="button" class="btn" onClick={() => say(`/join ${seat}`)}>
          {words.sitHere}
        </button>
      )}
    </li>
  );
}

function WhoPlays(props: WaitingProps): VNode {
  const { state, emit, room, desk, body } = props;
  const words = stringsOf(state);
  const table = tableOf(room);
  const { fork } = table;
  const most = fork?.names.length ?? body?.seats.max ?? 0;
  const least = fork?.names.length ?? body?.seats.min ?? 1;
  const seats = Array.from({ length: most }, (_, at) => at + 1);
  const sitting = Object.keys(table.seats).length;
  const say = (text: string): void => emit({ type: "said", inputKey: desk, text });
  return (
    <section class="card" aria-labelledby="who-plays">
      <h2 id="who-plays">{words.whoPlays}</h2>
      {fork !== undefined && <p>{words.forkOf(fork.id, fork.move)}</p>}
      <ul>
        {seats.map((seat) => (
          <SeatRow key={seat} {...props} seat={seat} many={most > 6} />
        ))}
      </ul>
      <div class="doors">
        {offers(props, "start") && (
          <button
            type="button"
            class="btn act big"
            disabled={sitting < least}
            onClick={() => say("/start")}
          >
            <Icon name="play" />
            {sitting < least ? words.startNeeds(least) : words.startWith(sitting)}
          </button>
        )}
        {offers(props, "invite") && (
          <button type="button" class="btn big" onClick={() => say("/invite")}>
            <Icon name="link" />
            {words.inviteLink}
          </button>
        )}
      </div>
      {body !== undefined && <p class="quiet">{words.playersAndTime(least, most, body.minutes)}</p>}
      <p class="quiet">
        {words.commitment} <code>{table.commit.slice(0, 16)}…</code>
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
  const { state, emit, desk, option, value, fixed } = props;
  const set = (next: string): void =>
    emit({ type: "said", inputKey: desk, text: `/option ${option.name} ${next}` });
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
    const known = option.type === "clock" ? ["off", "300+10", "900+15", "3600+30"] : option.values;
    const values = known.includes(value) ? known : [...known, value];
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
  const words = stringsOf(state);
  const table = tableOf(room);
  const fixed = !offers(props, "option");
  const own = body?.options ?? [];
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
      <h2 id="options">{words.options}</h2>
      {fixed && <p class="quiet">{words.unchanged}</p>}
      <ul>{own.map((option) => form(option, table.fork !== undefined))}</ul>
      <details open={own.length === 0}>
        <summary>
          {words.generalOptions}{" "}
          <small class="quiet">
            {words.changed(general.filter((option) => setTo(option) !== option.default).length)}
          </small>
        </summary>
        <ul>{general.map((option) => form(option, false))}</ul>
      </details>
    </section>
  );
}

export function Waiting(props: WaitingProps): VNode {
  const { state, emit, desk, body } = props;
  const words = stringsOf(state);
  return (
    <div class="waiting">
      <WhoPlays {...props} />
      <Options {...props} />
      <section class="card credits">
        <button
          type="button"
          class="btn"
          onClick={() => emit({ type: "said", inputKey: desk, text: "/rules" })}
        >
          <Icon name="book" size={16} />
          {words.allRules}
        </button>
        {body?.credits.map((credit) => (
          <p key={credit} class="quiet">
            {credit}
          </p>
        ))}
      </section>
    </div>
  );
}
