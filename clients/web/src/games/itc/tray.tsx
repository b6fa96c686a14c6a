// Below the map: dice and points, the hand, and the open slots of the line.

import type { VNode } from "preact";
import { Die, Icon, linesWith, PlaceButton, Tray } from "../../board/index.ts";
import { hasLine, joined, slotButtons, turnNames, youOrName } from "../../board/parts.ts";
import { countOf, listIn } from "../../board/picks.ts";
import { Good, ICONS } from "./goodIcon.tsx";
import {
  type At,
  actionAct,
  cardLabel,
  DICE,
  goodsText,
  linesOn,
  loadOf,
  named,
  ON_CARD,
  ON_LOAD,
  openSlots,
  tabOf,
  thousands,
  WIDE,
} from "./selectors.ts";
import { kindName, routeName, strings, timeName, verbName } from "./strings.ts";

/** The three dice, and the points left. */
export function Dice({ position, small = false }: { position: At; small?: boolean }): VNode {
  const { view, moves, draft, lang, fixed } = position;
  const labels = strings(lang);
  const { turn, phase } = view;
  const { picks: typed, may: mayRoll } = listIn(position, "dice");
  // A phone shows only the die that is used, once it is chosen.
  const shown = DICE.filter(
    (die) =>
      fixed.dice[die] !== undefined &&
      !(small && !hasLine(moves, {}, "dice") && (turn.used ?? die) !== die),
  );
  return (
    <div class="dice">
      {phase !== "placing" &&
        phase !== "over" &&
        shown.map((die) => {
          const number = turn.dice[die];
          const inRoll = typed.includes(die);
          const may = hasLine(moves, { die }, "use") || inRoll || mayRoll([...typed, die]);
          const used = turn.used === die;
          const name = named(position, die);
          const label = number === undefined ? labels.die(name) : labels.rolled(name, number);
          return (
            <PlaceButton
              key={die}
              id={`die ${die}`}
              label={used ? `${label}${labels.and}${labels.inUse}` : label}
              may={may}
              chosen={inRoll || used || draft.slots.die === die}
              idle={!may}
              class={`die route-${die}${number === undefined && !may ? " absent" : ""}`}
            >
              <Die value={number} size={small ? 36 : 42} />
            </PlaceButton>
          );
        })}
      {!small && <Points position={position} />}
    </div>
  );
}

/** Points left, and the stones that are not on the board. */
function Points({ position }: { readonly position: At }): VNode {
  const { view, lang, seat } = position;
  const labels = strings(lang);
  const { turn, phase } = view;
  const stock = seat === undefined ? undefined : view.seats[seat]?.stock;
  return (
    <span class="points">
      {(phase === "acting" || phase === "discarding") && (
        <b>
          {labels.points(turn.points)}
          {turn.extra > 0 && ` ${labels.extra(turn.extra)}`}
        </b>
      )}
      {stock !== undefined && <span class="soft">{labels.stock(stock)}</span>}
    </span>
  );
}

/** Buttons of actions that have no place on the map: attack, end. */
export function Doing({ position }: { readonly position: At }): VNode {
  const { moves, draft, lang } = position;
  const verbs = ["fetch", "recruit", "attack", "end"].filter((verb) => hasLine(moves, {}, verb));
  return (
    <>
      {verbs.map((verb) => (
        <PlaceButton
          key={verb}
          id={`do ${verb}`}
          label={verbName(verb, lang)}
          may
          chosen={draft.verb === verb}
          class="do"
        />
      ))}
    </>
  );
}

function RouteSign({ route }: { readonly route: string }): VNode {
  return (
    <span class={`route-sign route-${route}`}>
      <Icon name={ICONS[route] ?? "truck"} size={14} />
    </span>
  );
}

function TCard(props: { position: At; index: string; small: boolean }): VNode {
  const { position, index, small } = props;
  const { fixed, draft, moves } = position;
  const form = fixed.transports[index];
  const may =
    ON_CARD.some((verb) => hasLine(moves, { card: index }, verb)) ||
    hasLine(moves, { other: index }, "mega");
  const risk = form?.goods.lastIndexOf(form.at_risk) ?? -1;
  const size = small ? 11 : 15;
  const step = small ? 12.5 : 18;
  return (
    <PlaceButton
      id={`card ${index}`}
      label={cardLabel(position, index)}
      may={may}
      chosen={draft.slots.card === index || draft.slots.other === index}
      idle={!may}
      class={small ? "t-card small" : "t-card"}
      card={index}
    >
      <b class="index">{index}</b>
      {small ? (
        <span class="ways">
          {form?.routes.map((route) => (
            <RouteSign key={route} route={route} />
          ))}
        </span>
      ) : (
        <>
          <svg
            viewBox={`-2 -2 ${step * 5 + 3} ${step * 2 + 3}`}
            width={step * 5 + 3}
            height={step * 2 + 3}
            aria-hidden="true"
          >
            {form?.goods.map((good, at) => (
              <Good
                key={at}
                good={good}
                x={(at % 5) * step}
                y={Math.floor(at / 5) * step}
                size={size}
              />
            ))}
            {risk >= 0 && (
              <rect
                class="risk"
                x={(risk % 5) * step - 1.6}
                y={Math.floor(risk / 5) * step - 1.6}
                width={size + 3.2}
                height={size + 3.2}
                rx={3.5}
              />
            )}
          </svg>
          {form?.routes.map((route) => (
            <span key={route} class="pay">
              <RouteSign route={route} />
              <b>{thousands(form.full[route] ?? 0)}k</b>
              <small>({thousands(form.robbed[route] ?? 0)})</small>
            </span>
          ))}
        </>
      )}
    </PlaceButton>
  );
}

function ACard(props: { position: At; name: string; count: number; small: boolean }): VNode {
  const { position, name, count, small } = props;
  const { fixed, draft, lang } = position;
  const labels = strings(lang);
  const form = fixed.actions[name];
  const act = actionAct(position, name);
  const places = form?.places.map((place) => named(position, place)) ?? [];
  const title = [kindName(form?.kind ?? "", lang), ...places].join(" ");
  const time = timeName(form?.time ?? "", lang);
  const chosen =
    act !== undefined &&
    draft.verb === act.verb &&
    Object.entries(act.slots).every(([slot, value]) => draft.slots[slot] === value);
  return (
    <PlaceButton
      id={`act ${name}`}
      label={joined(
        labels.and,
        labels.action(form?.number ?? 0, title),
        time,
        count > 1 && `×${count}`,
      )}
      may={act !== undefined}
      chosen={chosen}
      idle={act === undefined}
      class={small ? "a-card small" : "a-card"}
      card={name}
    >
      <b class="index">
        {form?.number}
        {count > 1 && ` ×${count}`}
      </b>
      <span class="title">{title}</span>
      {!small && <small>{time}</small>}
    </PlaceButton>
  );
}

export function Hand({ position, small }: { position: At; small: boolean }): VNode | null {
  const { view, seat, lang } = position;
  const seatView = seat === undefined ? undefined : view.seats[seat];
  if (seatView?.hand === undefined) return null;
  const retained = seatView.kept ?? [];
  if (seatView.hand.length === 0 && retained.length === 0) {
    return <p class="soft none">{strings(lang).empty}</p>;
  }
  return (
    <div class={small ? "hand small" : "hand"}>
      {seatView.hand.map((card) => (
        <TCard key={card} position={position} index={String(card)} small={small} />
      ))}
      {[...new Set(retained)].map((name) => (
        <ACard
          key={name}
          position={position}
          name={name}
          count={countOf(retained, name)}
          small={small}
        />
      ))}
    </div>
  );
}

/** The prompt for the slot that the line still lacks. */
function lacking(position: At): string | undefined {
  const { draft, lang } = position;
  const labels = strings(lang);
  const { slots, verb } = draft;
  const open = openSlots(position).find(({ name }) => slots[name] === undefined)?.name;
  const prompts: Readonly<Record<string, string>> = {
    card: verb === "obstacle" ? labels.pickLoad : labels.pickCard,
    other: labels.pickOther,
    route: labels.pickSpace,
    column: verb === "express" ? labels.pickSide : labels.pickSpace,
    side: labels.pickSide,
    seat: labels.pickSeat,
    place: labels.pickPlace,
    origin: labels.pickOrigin,
  };
  return prompts[open ?? ""];
}

/** What to do next, in words. */
export function helpFor(position: At): string {
  const { draft, moves, view, lang } = position;
  const labels = strings(lang);
  if (view.phase === "over") return labels.over;
  if (moves.length === 0) {
    return labels.wait(turnNames(position, labels.and));
  }
  const prompt = lacking(position);
  if (draft.verb !== undefined && prompt !== undefined) return prompt;
  const { placing, chooseDice: dice, chooseUse: rolled, discarding, acting } = labels;
  return { placing, dice, rolled, discarding, acting }[view.phase];
}

function slotValueLabel(position: At, name: string, value: string): string {
  const { lang } = position;
  const labels = strings(lang);
  if (name === "seat") return youOrName(position, Number(value));
  if (name === "column") return labels.column(value);
  if (name === "route") return routeName(value, lang);
  return named(position, value);
}

/** The other actions with the card of the line. */
function verbButtons(position: At, card: string): readonly VNode[] {
  const { draft, moves, lang } = position;
  const labels = strings(lang);
  const load = loadOf(position, card);
  const lines = (verb: string) =>
    load === undefined ? linesWith(moves, { card }, verb) : linesOn(position, load, verb);
  const able = [...ON_CARD, ...ON_LOAD].filter((verb) => lines(verb).length > 0);
  const drops = load === undefined ? [] : lines("drop");
  return [
    ...(able.length > 1 ? able : []).map((verb) => (
      <PlaceButton
        key={verb}
        id={`verb ${verb} ${card}`}
        label={`${verbName(verb, lang)} ${card}`}
        may
        chosen={draft.verb === verb}
      >
        {verbName(verb, lang)}
      </PlaceButton>
    )),
    ...drops.map(({ slots }) => (
      <PlaceButton
        key={`drop ${slots.card} ${slots.good}`}
        id={`drop ${slots.card} ${slots.good}`}
        label={labels.giveUp(named(position, slots.good ?? ""))}
        may
        chosen={draft.verb === "drop" && draft.slots.good === slots.good}
        class="drop"
      >
        −
        <svg viewBox="0 0 18 18" width={18} height={18} aria-hidden="true">
          <Good good={slots.good ?? ""} x={1} y={1} size={16} />
        </svg>
      </PlaceButton>
    )),
  ];
}

/** Slots that are filled by clicks on the map, if it shows them. */
function onMap(position: At, slot: string): boolean {
  const { draft, area } = position;
  if (slot === "place" || slot === "origin") {
    return area.width >= WIDE || tabOf(position) === "continents";
  }
  if (slot === "column") return draft.verb !== "express";
  return ["card", "route", "good", "die", "dice", "kind"].includes(slot);
}

/** Values for the open slots, unless another control on the screen fills them. */
function openSlotButtons(position: At, all: boolean): readonly VNode[] {
  const { draft, lang } = position;
  const { verb = "" } = draft;
  const openChoices = openSlots(position).filter(({ name, values: offered }) => {
    if (onMap(position, name) && !all) return false;
    if (name === "good" && verb === "drop") return false;
    return offered.length > 1 || draft.slots[name] === undefined;
  });
  return openChoices.flatMap(({ name, values: offered }) =>
    slotButtons(position, `slot ${name}`, name, offered, (value) => {
      const text = slotValueLabel(position, name, value);
      return [`${verbName(verb, lang)}: ${text}`, text];
    }),
  );
}

/** The goods that are marked for the grey market. */
function given(position: At): string {
  const { view, fixed, lang } = position;
  const { busy } = view.turn;
  if (busy?.is !== "Dropping") return "";
  const goods = fixed.goods.flatMap(({ good }, at) =>
    Array.from({ length: busy.goods[at] ?? 0 }, () => good),
  );
  return ` ${strings(lang).given(goodsText(position, goods))}`;
}

/** All actions with the card of the line: verbs, goods to give up, open slots. */
export function CardActions(props: { position: At; all: boolean; small?: boolean }): VNode {
  const { position, all, small = false } = props;
  const { draft, lang } = position;
  const { card } = draft.slots;
  const verbs = card === undefined ? [] : verbButtons(position, card);
  const slots = openSlotButtons(position, all);
  const buttons = position.area.width < WIDE ? [...slots, ...verbs] : [...verbs, ...slots];
  return (
    <div class="ways">
      <p class="soft">
        {small && <Points position={position} />}
        {draft.verb && (card ?? buttons[0]) && (
          <b>
            {verbName(draft.verb, lang)}
            {card && ` ${card}`}:{" "}
          </b>
        )}
        {position.moves.length === 0 && helpFor(position)}
        {given(position)}
      </p>
      {buttons.length > 0 && <div class="buttons">{buttons}</div>}
    </div>
  );
}

/** The strip below the map; on a phone it has two rows, so that the map retains its size. */
export function Below({ position, small }: { position: At; small: boolean }): VNode {
  const labels = strings(position.lang);
  if (small) {
    return (
      <Tray label={labels.tray}>
        <CardActions position={position} all={false} small />
        <div class="first-row">
          <Dice position={position} small />
          {tabOf(position) !== "hand" && <Hand position={position} small />}
          <Doing position={position} />
        </div>
      </Tray>
    );
  }
  return (
    <Tray label={labels.tray}>
      <div class="first-row">
        <Dice position={position} />
        <CardActions position={position} all={false} />
        <Doing position={position} />
      </div>
      <Hand position={position} small={false} />
    </Tray>
  );
}
