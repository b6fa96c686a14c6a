// The current decision: the card above the sea, on a phone the strip below the map.

import type { ComponentChildren, VNode } from "preact";
import {
  linesWith,
  localValue,
  PlaceButton,
  type Seat,
  SeatMark,
  slotValues,
} from "../../board/index.ts";
import { hasLine, playerName, slotButtons } from "../../board/parts.ts";
import { onTown, pieceText } from "./ariaLabels.ts";
import { art } from "./drawings.ts";
import { WeaponMark } from "./icons.tsx";
import {
  type At,
  attackTyped,
  BUILDINGS,
  letterOfSeat,
  provinceName,
  standerOn,
  subjectOf,
  townName,
  WEAPONS,
} from "./selectors.ts";
import { buildingName, kindName, strings, weatherName } from "./strings.ts";

function Heading(props: {
  readonly title: string;
  readonly sub?: string;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <header>
      <b>{props.title}</b>
      {props.sub !== undefined && <span class="soft">{props.sub}</span>}
      {props.children}
    </header>
  );
}

/** The kinds of samurai that can be placed or levied; by town if one is chosen. */
export function Weapons(props: { position: At; verb: "place" | "levy" }): VNode | null {
  const { position, verb } = props;
  const { moves, draft, fixed, lang, view, seat } = position;
  const labels = strings(lang);
  const town = draft.verb === verb ? draft.slots.town : undefined;
  const fitting = linesWith(moves, town === undefined ? {} : { town }, verb);
  const offered = slotValues(fitting, "weapon");
  if (offered.length === 0) return null;
  const stock = seat === undefined ? {} : (view.seats[seat]?.samurai ?? {});
  return (
    <div class="row">
      {slotButtons(
        position,
        `weapon ${verb}`,
        "weapon",
        WEAPONS.filter((weapon) => offered.includes(weapon)),
        (weapon) => {
          const name = kindName(position, weapon);
          const cost = fixed.samurai[weapon]?.cost ?? 0;
          const left = stock[weapon] ?? 0;
          const isLevy = verb === "levy";
          return [
            isLevy ? labels.weaponLabel(name, cost) : labels.weaponLeft(name, left),
            <>
              <WeaponMark kind={weapon} /> {name}
              <span class="soft">{isLevy ? labels.minus(cost) : `×${left}`}</span>
            </>,
          ];
        },
      )}
    </div>
  );
}

/** Routes of a move or an attack, if several lead there. */
function RouteChoices(props: { position: At; slot: "way" | "approach" }): VNode | null {
  const { position, slot } = props;
  const { draft, moves, lang, game } = position;
  const { [slot]: _, ...rest } = draft.slots;
  if (draft.verb === undefined || rest.town === undefined || rest.origin === undefined) return null;
  const values = slotValues(linesWith(moves, rest, draft.verb), slot);
  if (values.length < 2) return null;
  return (
    <div class="row">
      <span class="soft">{strings(lang).routeHelp}</span>
      {slotButtons(position, slot, slot, values, (value) => [
        localValue(game.words, slot, value, lang),
      ])}
    </div>
  );
}

/** The legal actions on a town of mine: build, forge, take off. */
export function Works({ position, town }: { position: At; town: string }): VNode | null {
  const { moves, lang, fixed } = position;
  const labels = strings(lang);
  const { BuildingMark } = art.get();
  const name = townName(position, town);
  const offered = slotValues(linesWith(moves, { town }, "build"), "building");
  const may = (verb: string): boolean => hasLine(moves, { town }, verb);
  if (offered.length === 0 && !may("forge") && !may("dismiss")) return null;
  return (
    <div class="row">
      {BUILDINGS.filter((each) => offered.includes(each)).map((each) => {
        const cost = fixed.buildings[each]?.cost ?? 0;
        return (
          <PlaceButton
            key={each}
            id={`build ${each} ${town}`}
            label={labels.buildLabel(name, buildingName(position, each), cost)}
            may
          >
            <BuildingMark building={each} />
            {buildingName(position, each)} <span class="soft">{labels.minus(cost)}</span>
          </PlaceButton>
        );
      })}
      {may("forge") && (
        <PlaceButton id={`forge ${town}`} label={labels.forgeLabel(name)} may>
          {labels.forge}
        </PlaceButton>
      )}
      {may("dismiss") && (
        <PlaceButton id={`dismiss ${town}`} label={labels.dismissLabel(name)} may>
          {labels.dismiss}
        </PlaceButton>
      )}
    </div>
  );
}

/** A line without slots, as a button. */
function Plain({ position, verb, text }: { position: At; verb: string; text: string }) {
  if (!hasLine(position.moves, {}, verb)) return null;
  return (
    <PlaceButton id={`do ${verb}`} label={text} may class={verb === "pass" ? "quiet" : "main"} />
  );
}

function AttackCard({ position }: { readonly position: At }): VNode {
  const { draft, lang } = position;
  const labels = strings(lang);
  const { Chances } = art.get();
  const { origin, town = "" } = draft.slots;
  const attack = attackTyped(position);
  const goal = townName(position, town);
  if (origin === undefined) {
    if (town === "") return <Heading title={labels.attack} />;
    return <Heading title={labels.attackOn(goal)} sub={onTown(position, town)} />;
  }
  return (
    <>
      <Heading title={labels.attackFrom(townName(position, origin), goal)} />
      <RouteChoices position={position} slot="approach" />
      <Chances position={position} />
      {attack !== undefined && draft.complete !== undefined && (
        <div class="row">
          <PlaceButton id="go" label={labels.go(draft.complete.text)} may class="main">
            {labels.attack}
          </PlaceButton>
          <PlaceButton id="no" label={labels.cancel} />
        </div>
      )}
      {/* A piece that can only attack is shown here immediately: the other actions of its town
         are below until a target is chosen. */}
      {town === "" && <Works position={position} town={origin} />}
    </>
  );
}

function Supporters({ position }: { readonly position: At }): VNode | null {
  const { moves, lang } = position;
  const labels = strings(lang);
  const towns = slotValues(linesWith(moves, {}, "support"), "supporter");
  if (towns.length === 0) return null;
  return (
    <div class="row">
      {slotButtons(position, "support", "supporter", towns, (town) => {
        if (town === "done") return [labels.noMore];
        const piece = standerOn(position, town);
        const pieceLabel = piece === undefined ? "" : pieceText(position, piece);
        const name = townName(position, town);
        const mark = piece !== undefined && <WeaponMark key="mark" kind={piece.kind} size={16} />;
        return [labels.supporter(pieceLabel, name), [name, mark]];
      })}
    </div>
  );
}

function Battle({ position }: { readonly position: At }): VNode {
  const { BattleTable, Chances } = art.get();
  const { view, lang } = position;
  const labels = strings(lang);
  const { battle } = view;
  const town = battle?.town ?? "";
  const sub = battle === undefined ? undefined : weatherName(battle.weather, lang);
  return (
    <>
      <Heading title={labels.battle(townName(position, town))} {...(sub && { sub })} />
      <Chances position={position} />
      <BattleTable position={position} />
      <Supporters position={position} />
      <div class="row">
        <Plain position={position} verb="reroll" text={labels.rerollLeft(battle?.rerolls ?? 0)} />
        <Plain position={position} verb="stand" text={labels.stand} />
      </div>
      {hasLine(position.moves, {}, "retreat") && (
        <div class="row">
          {slotButtons(position, "retreat", "town", slotValues(position.moves, "town"), (each) => [
            townName(position, each),
          ])}
        </div>
      )}
    </>
  );
}

function TownCard({ position, town }: { position: At; town: string }): VNode {
  return (
    <>
      <Heading title={townName(position, town)} sub={onTown(position, town)} />
      <RouteChoices position={position} slot="way" />
      <Works position={position} town={town} />
    </>
  );
}

function Acting({ position }: { readonly position: At }): VNode {
  const { lang, view, draft } = position;
  const labels = strings(lang);
  const town = draft.verb === "levy" ? draft.slots.town : undefined;
  const title =
    town === undefined ? labels.actions(view.actions) : labels.levyTo(townName(position, town));
  return (
    <>
      <Heading title={title}>
        <Plain position={position} verb="pass" text={labels.pass} />
      </Heading>
      <Weapons position={position} verb="levy" />
    </>
  );
}

/** The details of a town or province, without a started line. */
function Looked({ position, line }: { position: At; line: string }): VNode {
  const looked = provinceName(position, line.slice("/look ".length));
  return (
    <>
      <Heading title={townName(position, looked)} />
      <p class="told">{position.answers[line]?.text}</p>
    </>
  );
}

/** The last details opened at this version of the game. */
export function lookedAt({ answers, draft }: At): string | undefined {
  if (draft.text !== "") return undefined;
  return Object.keys(answers).findLast((line) => line.startsWith("/look ") && answers[line]);
}

/** The result: that the game is over, and how it ended. */
export function endedText({ view, lang }: At): string {
  const labels = strings(lang);
  return view.ending === undefined ? labels.ended : labels[`ended${view.ending}`];
}

/** The seat that decides, with its piece. */
export function Turn({ position }: { readonly position: At }): VNode {
  const { room, lang } = position;
  const labels = strings(lang);
  const seat: Seat | undefined = room.turn[0];
  if (seat === undefined) return <p>{endedText(position)}</p>;
  return (
    <p class="who">
      <SeatMark seat={seat} size={20} text={letterOfSeat(position, seat)} />
      <bdi>{labels.waiting(playerName(position, seat))}</bdi>
    </p>
  );
}

function Content({ position }: { readonly position: At }): VNode {
  const { view, moves, draft, lang } = position;
  const labels = strings(lang);
  const looked = lookedAt(position);
  if (looked !== undefined && view.battle === undefined) {
    return (
      <>
        {moves.length > 0 && view.phase === "acting" && <Acting position={position} />}
        <Looked position={position} line={looked} />
      </>
    );
  }
  if (view.battle !== undefined) return <Battle position={position} />;
  if (moves.length === 0) return <Turn position={position} />;
  if (view.phase === "placing") {
    return (
      <>
        <Heading title={labels.place} />
        <Weapons position={position} verb="place" />
      </>
    );
  }
  if (view.phase === "sailing") {
    return (
      <>
        <Heading title={labels.sail} sub={townName(position, view.ship_at ?? "")} />
        <div class="row">
          <Plain position={position} verb="stay" text={labels.stay} />
        </div>
      </>
    );
  }
  if (draft.verb === "attack") return <AttackCard position={position} />;
  const subject = subjectOf(position);
  if (subject !== undefined) return <TownCard position={position} town={subject} />;
  if (draft.verb === "tax") {
    return <Heading title={provinceName(position, draft.slots.province ?? "")} />;
  }
  return <Acting position={position} />;
}

/** What to do next, in a sentence. */
export function taskText(position: At): string {
  const { view, moves, draft, lang } = position;
  const labels = strings(lang);
  const able = (verb: string): boolean => hasLine(moves, {}, verb);
  if (view.battle !== undefined) {
    if (able("support")) return labels.more;
    return able("retreat") ? labels.retreat : labels.keepOrThrow;
  }
  if (view.phase === "placing") return labels.placeHelp;
  if (view.phase === "sailing") return labels.sail;
  if (draft.verb === "attack") return draft.slots.origin ? labels.routeHelp : labels.fromWhere;
  if (draft.verb === "levy") return labels.levyHelp;
  if (subjectOf(position) !== undefined) return labels.moveHelp;
  return view.actions > 0 ? labels.actHelp : labels.noActionHelp;
}

/** The card. Below the map its height does not depend on its content. */
export function Decide(props: { readonly position: At; readonly below?: boolean }): VNode {
  const { position, below = false } = props;
  return (
    <section
      class={below ? "decide aside" : "decide"}
      aria-label={strings(position.lang).decide}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
    >
      <Content position={position} />
    </section>
  );
}
