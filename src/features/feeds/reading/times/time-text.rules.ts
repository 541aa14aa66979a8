/** Characters of a text that are read, including comments and white space. */
const MAX_CHARACTERS = 300;
/** Maximum length of the rest, without comments and repeated white space. */
const MAX_READ = 100;
/** The zeros of scripts that have their own decimal digits: Arabic, Persian, Devanagari, Bengali, Thai. */
const ZEROS: readonly number[] = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/** A text that may contain a time, in the normal form that the other rules read. */
export interface TimeText {
  /** Lower case without accents, digits 0-9, ASCII dashes, and years, months, hours of East Asia as `2024-8-25 17:38`. */
  text: string;
  /** The texts in parentheses or brackets: `Europe/Berlin`, `EDT`. */
  notes: readonly string[];
}

/** Returns the start of a text in normal form, and its comments separately. */
export function toTimeText(given: string): TimeText {
  const start = given.trimStart().slice(0, MAX_CHARACTERS).normalize('NFKC').replace(/\s+/g, ' ');
  const notes: string[] = [];
  const whole = start.replace(/(?<=[\p{L}\d])\(\p{L}{1,2}\)/gu, ''); // endings: 2024(e)ko abuztuaren 25(a)
  const bare = whole.replace(/\(([^()]*)\)|\[([^[\]]*)\]/g, (_all, round?: string, square?: string) => {
    notes.push(foldedTime(round ?? square ?? ''));
    return ' ';
  });
  const text = foldedTime(withLatinUnits(bare)).slice(0, MAX_READ);
  return { text: withPlainMarks(text), notes };
}

/** Returns a name or time in lower case, without accents and format characters, with plain digits, dashes and spaces. */
export function foldedTime(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/\p{Nd}/gu, plainDigit)
    .replace(/\p{Pd}|−/gu, '-')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/\s+/g, ' ')
    .trim();
}

function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}

// 2024年8月25日 17時38分, 2024년 8월 25일 오후 5시 38분
function withLatinUnits(text: string): string {
  return text
    .replace(/(\d) ?[年년月월] ?/g, '$1-')
    .replace(/(\d) ?[日号號일]/g, '$1 ')
    .replace(/(\d) ?[時时點点시] ?(?=\d)/g, '$1:')
    .replace(/(\d) ?[時时點点시]/g, '$1:00 ')
    .replace(/(\d) ?[分분] ?(?=\d)/g, '$1:')
    .replace(/(\d) ?[分분秒초]/g, '$1 ');
}

// Compact and glued forms: 20240825T173800Z, 25/Aug/2024:17:38:00, 5:38 p. m., and the clock readings of Go.
function withPlainMarks(text: string): string {
  return text
    .replace(/^(\d{4})(\d\d)(\d\d)(?=$|\D)/, '$1-$2-$3')
    .replace(/^(\d{4}-\d\d-\d\d)[t ](\d\d)(\d\d)(\d\d)?(?=$|\D)/, glued)
    .replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/, (_all, y: string, m: string, d: string, ...time: string[]) =>
      glued(_all, `${y}-${m}-${d}`, ...(time.slice(0, 3) as [string, string, string])),
    )
    .replace(/(\d{4}):(\d\d:\d\d:\d\d)/, '$1 $2')
    .replace(/(\d ?)([ap])\. ?m\b\.?/g, '$1$2m')
    .replace(/ m=[+-][\d.]+$/, '');
}

const glued = (_all: string, day: string, hour: string, minute: string, second: string | undefined): string =>
  `${day} ${hour}:${minute}${second ? `:${second}` : ''}`;
