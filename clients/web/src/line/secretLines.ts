// Lines that contain a password: they are neither shown nor stored in the history. The twin of the
// terminal's module of the same purpose. It errs on the side of masking, and takes every prefix of
// a command's name for the name.

/** Kana in hiragana, as the server reads names: this finds kanji and katakana as well. */
const ALWAYS = [
  "password",
  "合言葉",
  "あいことば",
  "ぱすわーど",
  "register",
  "登録",
  "とうろく",
  "notify",
  "通知",
  "つうち",
  "uninvite",
  "招待取消",
  "しょうたいとりけし",
];
/** Commands with one argument before the password. */
const AFTER_ONE = ["room", "部屋", "へや", "login", "ろぐいん"];
const NEW_ROOM = ["newroom", "新部屋", "しんへや", "部屋作成", "へやさくせい"];
const PRIVACIES = [
  "public",
  "unlisted",
  "private",
  "公開",
  "限定公開",
  "非公開",
  "招待制",
  "こうかい",
  "げんていこうかい",
  "ひこうかい",
  "しょうたいせい",
];

/** Full-width and capital letters as plain small ones. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function hiragana(text: string): string {
  return text.replace(/[\u30a1-\u30f6]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0x60));
}

function matchesName(head: string, heads: readonly string[]): boolean {
  return heads.some((name) => name.startsWith(hiragana(head)));
}

/** How many tokens of a line precede its password; undefined if it has none. */
function shownCount(line: string): number | undefined {
  const folded = fold(line).trim();
  if (!folded.startsWith("/") && !folded.startsWith("・")) return undefined;
  const [head = "", ...args] = folded.slice(1).split(/\s+/).filter(Boolean);
  const first = args[0];
  if (head === "" || first === undefined) return undefined;
  if (matchesName(head, ALWAYS)) return 1;
  if (matchesName(head, NEW_ROOM)) {
    const second = args[1];
    const privacy = second !== undefined && matchesName(second, PRIVACIES);
    const shown = privacy ? 3 : 2;
    return args.length >= shown ? shown : undefined;
  }
  return matchesName(head, AFTER_ONE) && args.length > 1 ? 2 : undefined;
}

/** Whether a line may contain a password. */
export function isSecret(line: string): boolean {
  return shownCount(line) !== undefined;
}

/** The line with its password masked. */
export function masked(line: string): string {
  const shown = shownCount(line);
  return shown === undefined ? line : `${line.trim().split(/\s+/).slice(0, shown).join(" ")} ***`;
}
