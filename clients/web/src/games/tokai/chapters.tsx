// The pictures of the chapters of Tokai Danshaku's rules.

import { bothLanguages, type Lang, type RulePictures } from "../../board/index.ts";
import { type Drawing, die, icon, picture, piece, text } from "../../board/pictureRow.tsx";

const captionsOf = bothLanguages(
  {
    material: "Pawn, two white dice, one more",
    table: "The server is the bank",
    picks: "From five lines, 20,000 to 40,000 yen",
    cities: "Three dice name your start city",
    turn: "Roll, ride, arrive, buy",
    goals: "A region, then a city in it",
    rides: "One station a step, none twice",
    arrival: "3,000 yen and 600 a station",
    purchase: "One line for each arrival",
    extra: "A double six: ride once more",
    end: "The last line is sold",
    out: "A dead end: out",
    details: "Paid in the order of the ride",
    hidden: "Picks are covered, all else is open",
    typing: "Where you want to go",
    options: "Rules that a room may change",
  },
  {
    material: "駒と白ダイス2個、もう1個",
    table: "銀行はサーバー",
    picks: "5路線から20,000〜40,000円",
    cities: "スタート都市は3個のダイスで",
    turn: "振る、乗る、着く、買う",
    goals: "地域、次にその都市",
    rides: "1目で1駅、同じ駅は2度通れない",
    arrival: "3,000円と1駅600円",
    purchase: "着くたびに路線を1つ",
    extra: "「6」「6」ならもう一度",
    end: "最後の路線が売れる",
    out: "行き止まりで除外",
    details: "乗った順に払う",
    hidden: "伏せるのは事前購入だけ",
    typing: "行きたい駅を書く",
    options: "部屋で変えられる規則",
  },
);

const STEP = 34;

/** A line with stations; the pawn stands at one, the owner's piece on the last stretch. */
function line(stations: number, pawn: number, owner?: number): Drawing {
  const places = Array.from({ length: stations }, (_, at) => 12 + at * STEP);
  const width = 24 + (stations - 1) * STEP;
  return {
    width,
    drawing: (
      <>
        <path
          d={`M12 32h${width - 24}`}
          fill="none"
          stroke="currentColor"
          stroke-width={5}
          {...(owner === undefined ? { "stroke-dasharray": "6 5" } : {})}
        />
        {places.map((x) => (
          <circle key={x} cx={x} cy={32} r={5} fill="currentColor" />
        ))}
        <g transform={`translate(${(places[pawn] ?? 0) - 10} -2) scale(.6)`}>
          {piece(1, "").drawing}
        </g>
        {owner !== undefined && (
          <g transform={`translate(${width - STEP - 2} 14) scale(.66)`}>{piece(owner).drawing}</g>
        )}
      </>
    ),
  };
}

export function chaptersIn(lang: Lang): RulePictures {
  const captions = captionsOf(lang);
  return {
    1: picture(captions.material, piece(1), die(3), die(4), die("?")),
    2: picture(captions.table, piece(1), text("↔"), icon("bot"), text("↔"), piece(2)),
    3: picture(captions.picks, line(2, 0, 1), line(2, 0, 1), text("≤ 40,000")),
    4: picture(captions.cities, die(2), die(5), die(3), text("→"), icon("flag")),
    5: picture(captions.turn, die(2), die(1), line(4, 3)),
    6: picture(captions.goals, die(4), die(4), die(1), text("→"), icon("flag")),
    7: picture(captions.rides, die(1), die(2), line(4, 3)),
    8: picture(captions.arrival, line(3, 2), text("+4,000")),
    9: picture(captions.purchase, line(3, 2, 1)),
    10: picture(captions.extra, die(6), die(6), text("→"), die("?")),
    12: picture(captions.end, line(3, 0, 2), icon("flag")),
    13: picture(captions.out, line(3, 2), icon("x")),
    14: picture(captions.details, piece(1), text("→ 1."), piece(2), text("2."), piece(3)),
    15: picture(captions.hidden, icon("lock"), line(2, 0, 1)),
    16: picture(captions.typing, text(lang === "en" ? "/go okazaki" : "/go 岡崎")),
    17: picture(captions.options, icon("list"), line(2, 0)),
  };
}
