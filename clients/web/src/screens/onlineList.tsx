// Who is online, and where: a click on a name starts a line to that person.

import type { VNode } from "preact";
import { quoted } from "../line/quoted.ts";
import { gameName } from "../state/selectors.ts";
import { LOBBY, type OnlinePerson } from "../state/state.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

function Person({ state, emit, person }: ViewProps & { readonly person: OnlinePerson }): VNode {
  const strings = stringsOf(state);
  const { name, rooms, away } = person;
  const isMyName = name === state.name;
  const [room] = rooms;
  const where = room === undefined ? strings.lobby : gameName(state, room.game);
  return (
    <li>
      {isMyName ? (
        <b>
          <bdi>{name}</bdi> <small>{strings.you}</small>
        </b>
      ) : (
        <button
          type="button"
          class="link"
          aria-label={strings.writeTo(name)}
          onClick={() => emit({ type: "typed", inputKey: LOBBY, text: `/tell ${quoted(name)} ` })}
        >
          <bdi>{name}</bdi>
        </button>
      )}
      <small>{away === undefined ? where : strings.awayWith(away)}</small>
    </li>
  );
}

export function OnlineList(props: ViewProps): VNode | null {
  const strings = stringsOf(props.state);
  const { online } = props.state.lobby;
  if (online === undefined) return null;
  return (
    <section class="here" aria-labelledby="here">
      <h2 id="here">
        {strings.hereNow} <small>{online.people.length + online.more}</small>
      </h2>
      <ul>
        {online.people.map((person) => (
          <Person key={person.name} {...props} person={person} />
        ))}
      </ul>
    </section>
  );
}
