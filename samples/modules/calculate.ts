// Calculates exactly, with units and dates. Parses the expression itself, and never evaluates it as code.
import { failure, skill } from 'agent-service/skill';

/** A fraction in lowest terms; `under` is positive. */
interface Ratio {
  over: bigint;
  under: bigint;
}
/** A quantity in the base unit of its kind: seconds, meters, grams, bytes, months, kelvin. */
interface Amount {
  ratio: Ratio;
  /** Its kind; '' = a plain number. */
  of: string;
  /** The unit in which it was written. */
  as: string;
  /** True when it is rounded, because it was computed from an irrational root. */
  isRounded: boolean;
}
/** A date, in days since 1970-01-01. */
interface Day {
  day: number;
}
type Value = Amount | Day;

const LONGEST = 500;
/** Maximum number of digits of a number: powers grow fast. */
const MOST_DIGITS = 2_000;
const DAY_SECONDS = 86_400n;
const DAY_MS = 86_400_000;

/** The units by name: the kind, the size in base units, and for temperatures the position of zero. */
const UNITS = new Map<string, { of: string; ratio: Ratio; zero?: Ratio }>();
const unit = (names: string, of: string, over: bigint, under = 1n, zero?: Ratio) => {
  for (const name of names.split(' ')) UNITS.set(name, { of, ratio: ratioOf(over, under), ...(zero && { zero }) });
};
unit('ms', 'time', 1n, 1_000n);
unit('s sec second seconds', 'time', 1n);
unit('min minute minutes', 'time', 60n);
unit('h hour hours', 'time', 3_600n);
unit('d day days', 'time', DAY_SECONDS);
unit('week weeks', 'time', 7n * DAY_SECONDS);
unit('month months', 'months', 1n);
unit('year years', 'months', 12n);
unit('mm', 'length', 1n, 1_000n);
unit('cm', 'length', 1n, 100n);
unit('m meter meters', 'length', 1n);
unit('km', 'length', 1_000n);
unit('inch inches', 'length', 254n, 10_000n);
unit('ft foot feet', 'length', 3_048n, 10_000n);
unit('yd yard yards', 'length', 9_144n, 10_000n);
unit('mi mile miles', 'length', 1_609_344n, 1_000n);
unit('mg', 'mass', 1n, 1_000n);
unit('g gram grams', 'mass', 1n);
unit('kg', 'mass', 1_000n);
unit('t tonne tonnes', 'mass', 1_000_000n);
unit('oz ounce ounces', 'mass', 28_349_523_125n, 1_000_000_000n);
unit('lb lbs pound pounds', 'mass', 45_359_237n, 100_000n);
unit('ml', 'volume', 1n, 1_000n);
unit('l liter liters', 'volume', 1n);
unit('gal gallon gallons', 'volume', 3_785_411_784n, 1_000_000_000n);
unit('B byte bytes', 'data', 1n);
unit('KB kB', 'data', 1_000n);
unit('MB', 'data', 1_000_000n);
unit('GB', 'data', 1_000_000_000n);
unit('TB', 'data', 1_000_000_000_000n);
unit('KiB', 'data', 1_024n);
unit('MiB', 'data', 1_048_576n);
unit('GiB', 'data', 1_073_741_824n);
unit('TiB', 'data', 1_099_511_627_776n);
unit('K kelvin', 'temperature', 1n);
unit('C celsius', 'temperature', 1n, 1n, { over: 27_315n, under: 100n });
unit('F fahrenheit', 'temperature', 5n, 9n, { over: 45_967n, under: 180n });

export default skill<{ expression: string; places?: number }>({
  name: 'calculate',
  title: 'Calculate',
  description:
    'Use this for arithmetic that must be right: exact decimals, percentages, units, and days between dates. Examples: ' +
    '"0.1 + 0.2", "19% of 249.90", "5 km in miles", "(3 h + 20 min) * 4 in h", "2026-03-01 - 2026-01-15", "today + 45 days", ' +
    '"round(10 / 3, 2)".',
  input: {
    type: 'object',
    properties: {
      expression: {
        type: 'string',
        minLength: 1,
        maxLength: LONGEST,
        description:
          'What to calculate, with + - * / ^, mod, %, of, in, round, abs, min, max, sqrt, today, dates such as 2026-12-24.',
      },
      places: {
        type: 'integer',
        minimum: 0,
        maximum: 100,
        default: 12,
        description: 'Decimal places of the result, for example 2. A result that needs more is rounded, and says so.',
      },
    },
    required: ['expression'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      result: { type: 'string', description: 'The result, with its unit; a date as YYYY-MM-DD.' },
      exact: { type: 'boolean', description: 'Whether nothing was rounded.' },
    },
    required: ['result', 'exact'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },

  execute({ expression, places = 12 }, context) {
    try {
      return new Reader(expression, context.now()).result(places);
    } catch (error) {
      if (error instanceof Mistake) return failure(`${error.message} (at character ${error.at + 1})`);
      throw error;
    }
  },
});

class Mistake extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

interface Token {
  kind: 'number' | 'date' | 'word' | 'sign' | 'end';
  text: string;
  at: number;
}

const TOKEN = /\s*(?:(\d{4}-\d{2}-\d{2})|(\d+(?:\.\d+)?(?:e[+-]?\d{1,4})?|\.\d+)|°?([a-zA-Z]+)|([-+*/^%(),]))/y;

/** Parses an expression from left to right, and calculates while parsing. */
class Reader {
  private readonly tokens: Token[];
  private next = 0;
  private readonly now: Date;
  private level = 0;

  constructor(expression: string, now: Date) {
    this.tokens = tokensOf(expression);
    this.now = now;
  }

  result(places: number): { result: string; exact: boolean } {
    const value = this.sum();
    const wanted = this.accept('in') || this.accept('to') ? this.take() : null;
    const { kind, text, at } = this.token;
    if (kind !== 'end') throw new Mistake(`"${text}" was not expected here`, at);
    if ('day' in value) {
      if (wanted) throw new Mistake('A date has no unit', wanted.at);
      return { result: textOfDay(value, this.at), exact: true };
    }
    if (!wanted) return written(value, value.as, places);
    const { of } = unitNamed(wanted);
    if (of !== value.of) throw new Mistake(`${nameOf(value)} cannot be given in ${wanted.text}`, wanted.at);
    return written(value, wanted.text, places);
  }

  private sum(): Value {
    let left = this.product();
    for (;;) {
      const { at } = this.token;
      if (this.accept('+')) left = added(left, this.product(), 1n, at);
      else if (this.accept('-')) left = added(left, this.product(), -1n, at);
      else return left;
    }
  }

  private product(): Value {
    let left = this.signed();
    for (;;) {
      const { at } = this.token;
      if (this.accept('*') || this.accept('of')) left = times(left, this.signed(), at);
      else if (this.accept('/')) left = divided(left, this.signed(), at);
      else if (this.accept('mod')) left = remainder(left, this.signed(), at);
      else return left;
    }
  }

  private signed(): Value {
    const { at } = this.token;
    if (!this.accept('-')) return this.power();
    return negated(
      measure(
        this.deeper(at, () => this.signed()),
        at,
      ),
    );
  }

  private power(): Value {
    const base = this.measured();
    const { at } = this.token;
    if (!this.accept('^')) return base;
    return raised(
      base,
      this.deeper(at, () => this.signed()),
      at,
    );
  }

  /** Parses a primary, optionally followed by a percent sign or a unit. */
  private measured(): Value {
    let value = this.primary();
    if (this.accept('%')) value = divided(value, amount(100n), this.at);
    const { kind, text, at } = this.token;
    if (kind !== 'word' || !UNITS.has(text)) return value;
    const { of, ratio, zero } = unitNamed(this.take());
    const { ratio: count } = plain(value, at);
    const inBase = plus(product(count, ratio), zero ?? ratioOf(0n));
    return { ratio: inBase, of, as: text, isRounded: isRounded(value) };
  }

  private primary(): Value {
    const { kind, text, at } = this.take();
    if (kind === 'number') return amountOf(ratioIn(text, at));
    if (kind === 'date') return dayIn(text, at);
    if (text === '(') {
      const value = this.deeper(at, () => this.sum());
      this.expect(')');
      return value;
    }
    if (text === 'today') return { day: Math.floor(this.now.getTime() / DAY_MS) };
    const calculate = kind === 'word' ? FUNCTIONS.get(text) : undefined;
    if (calculate && this.accept('(')) return calculate(this.list(at), at);
    if (kind === 'end') throw new Mistake('The expression ends too early', at);
    throw new Mistake(`"${text}" is no number, unit or function`, at);
  }

  private list(at: number): Amount[] {
    const values: Amount[] = [];
    do
      values.push(
        measure(
          this.deeper(at, () => this.sum()),
          at,
        ),
      );
    while (this.accept(','));
    this.expect(')');
    return values;
  }

  private deeper<T>(at: number, read: () => T): T {
    this.level += 1;
    if (this.level > 50) throw new Mistake('It is nested too deep', at);
    const value = read();
    this.level -= 1;
    return value;
  }

  private get token(): Token {
    return this.tokens[this.next] ?? { kind: 'end', text: '', at: this.tokens.at(-1)?.at ?? 0 };
  }

  private get at(): number {
    return this.token.at;
  }

  private take(): Token {
    const { token } = this;
    this.next += 1;
    return token;
  }

  private accept(text: string): boolean {
    if (this.token.kind === 'end' || this.token.text !== text) return false;
    this.next += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.accept(text)) throw new Mistake(`"${text}" is missing`, this.at);
  }
}

const FUNCTIONS = new Map<string, (values: Amount[], at: number) => Amount>([
  ['abs', ([one = amount(0n)]) => ({ ...one, ratio: { ...one.ratio, over: absolute(one.ratio.over) } })],
  ['min', (values, at) => values.reduce((one, other) => (compared(one, other, at) <= 0 ? one : other))],
  ['max', (values, at) => values.reduce((one, other) => (compared(one, other, at) >= 0 ? one : other))],
  ['sqrt', ([one = amount(0n)], at) => root(one, at)],
  [
    'round',
    ([one = amount(0n), places = amount(0n)], at) => {
      const count = whole(places, at);
      if (count < 0n || count > 100n) throw new Mistake('round takes 0 to 100 places', at);
      const scale = 10n ** count;
      return { ...one, ratio: ratioOf(roundedOver(one.ratio, scale), scale) };
    },
  ],
]);

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  while (expression.slice(at).trim() !== '') {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(expression);
    if (!match) throw new Mistake(`"${expression.slice(at).trim()[0]}" is not understood`, at);
    const [all, date, number, word, sign] = match;
    at = TOKEN.lastIndex;
    const text = date ?? number ?? word ?? sign ?? '';
    const kind = date ? 'date' : number ? 'number' : word ? 'word' : 'sign';
    tokens.push({ kind, text, at: at - all.trimStart().length });
  }
  return [...tokens, { kind: 'end', text: '', at: expression.length }];
}

function absolute(one: bigint): bigint {
  return one < 0n ? -one : one;
}

function ratioOf(over: bigint, under = 1n): Ratio {
  let [one, other] = [absolute(over), under];
  while (other > 0n) [one, other] = [other, one % other];
  return one === 0n ? { over: 0n, under: 1n } : { over: over / one, under: under / one };
}

function ratioIn(text: string, at: number): Ratio {
  const [digits = '', exponent = '0'] = text.split('e');
  const [before = '', after = ''] = digits.split('.');
  const places = BigInt(exponent) - BigInt(after.length);
  if (absolute(places) > BigInt(MOST_DIGITS)) throw new Mistake('The number is too large or too small', at);
  const over = BigInt(before + after);
  return places >= 0n ? ratioOf(over * 10n ** places) : ratioOf(over, 10n ** -places);
}

const amountOf = (ratio: Ratio): Amount => ({ ratio, of: '', as: '', isRounded: false });
const amount = (over: bigint): Amount => amountOf(ratioOf(over));
const plus = (one: Ratio, other: Ratio, sign = 1n): Ratio =>
  ratioOf(one.over * other.under + sign * other.over * one.under, one.under * other.under);
const product = (one: Ratio, other: Ratio): Ratio => ratioOf(one.over * other.over, one.under * other.under);
const isRounded = (value: Value): boolean => 'isRounded' in value && value.isRounded;
const nameOf = ({ of }: Amount): string => (of === '' ? 'A plain number' : `An amount of ${of}`);

function measure(value: Value, at: number): Amount {
  if ('day' in value) throw new Mistake('A date cannot be used here: subtract two dates, or add days', at);
  return value;
}

function plain(value: Value, at: number): Amount {
  const one = measure(value, at);
  if (one.of !== '') throw new Mistake(`${nameOf(one)} cannot be used here: a plain number is needed`, at);
  return one;
}

function whole(value: Value, at: number): bigint {
  const { ratio } = plain(value, at);
  if (ratio.under !== 1n) throw new Mistake('A whole number is needed here', at);
  return ratio.over;
}

/** Returns the amount itself. @throws Mistake when it has more digits than permitted, which would take too long */
function bounded(one: Amount, at: number): Amount {
  const most = 10n ** BigInt(MOST_DIGITS);
  if (absolute(one.ratio.over) < most && one.ratio.under < most) return one;
  throw new Mistake(`The number has more than ${MOST_DIGITS} digits`, at);
}

function compared(one: Amount, other: Amount, at: number): number {
  if (one.of !== other.of) throw new Mistake(`${nameOf(one)} and ${nameOf(other)} cannot be compared`, at);
  const difference = plus(one.ratio, other.ratio, -1n).over;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function added(left: Value, right: Value, sign: bigint, at: number): Value {
  if ('day' in left && 'day' in right) {
    if (sign > 0n) throw new Mistake('Two dates cannot be added', at);
    const ratio = ratioOf(BigInt(left.day - right.day) * DAY_SECONDS);
    return { ratio, of: 'time', as: 'days', isRounded: false };
  }
  if ('day' in left) return moved(left, measure(right, at), sign, at);
  if ('day' in right) {
    if (sign < 0n) throw new Mistake('A date cannot be subtracted from an amount', at);
    return moved(right, left, 1n, at);
  }
  if (left.of !== right.of) throw new Mistake(`${nameOf(left)} and ${nameOf(right)} cannot be added`, at);
  const sum = plus(left.ratio, right.ratio, sign);
  return bounded({ ...left, ratio: sum, isRounded: left.isRounded || right.isRounded }, at);
}

/** Adds days or months to a date. If the resulting month has no such day, returns its last day. */
function moved({ day }: Day, { ratio, of }: Amount, sign: bigint, at: number): Day {
  const step = of === 'time' ? ratioOf(ratio.over, ratio.under * DAY_SECONDS) : ratio;
  if (of !== 'time' && of !== 'months') throw new Mistake('A date needs days, weeks, months or years', at);
  if (step.under !== 1n || absolute(step.over) > 4_000_000n) throw new Mistake('A date needs whole days or months', at);
  const count = Number(sign * step.over);
  if (of === 'time') return { day: day + count };
  const from = new Date(day * DAY_MS);
  const last = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count + 1, 0);
  const same = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, from.getUTCDate());
  return { day: Math.min(same, last) / DAY_MS };
}

/** Negates an amount in the unit in which it was written: -40 F is 40 degrees below the zero of Fahrenheit. */
function negated(value: Amount): Amount {
  const zero = UNITS.get(value.as)?.zero ?? ratioOf(0n);
  return { ...value, ratio: plus(product(zero, ratioOf(2n)), value.ratio, -1n) };
}

function times(left: Value, right: Value, at: number): Amount {
  const [one, other] = [measure(left, at), measure(right, at)];
  if (one.of !== '' && other.of !== '') throw new Mistake('Two amounts with units cannot be multiplied', at);
  const made = { ratio: product(one.ratio, other.ratio), of: one.of || other.of, as: one.as || other.as };
  return bounded({ ...made, isRounded: one.isRounded || other.isRounded }, at);
}

function divided(left: Value, right: Value, at: number): Amount {
  const [one, other] = [measure(left, at), measure(right, at)];
  if (other.ratio.over === 0n) throw new Mistake('It divides by zero', at);
  if (other.of !== '' && other.of !== one.of) throw new Mistake(`${nameOf(one)} cannot be divided by ${other.of}`, at);
  const sign = other.ratio.over < 0n ? -1n : 1n;
  const inverse = { over: sign * other.ratio.under, under: absolute(other.ratio.over) };
  const kind = other.of === '' ? { of: one.of, as: one.as } : { of: '', as: '' };
  const made = { ratio: product(one.ratio, inverse), ...kind };
  return bounded({ ...made, isRounded: one.isRounded || other.isRounded }, at);
}

function remainder(left: Value, right: Value, at: number): Amount {
  const [one, other] = [whole(left, at), whole(right, at)];
  if (other === 0n) throw new Mistake('It divides by zero', at);
  return amount(((one % other) + other) % other);
}

function raised(left: Value, right: Value, at: number): Amount {
  const [{ ratio }, exponent] = [plain(left, at), whole(right, at)];
  const count = absolute(exponent);
  const digits = BigInt(Math.max(String(ratio.over).length, String(ratio.under).length));
  if (count * digits > BigInt(MOST_DIGITS)) throw new Mistake(`The number has more than ${MOST_DIGITS} digits`, at);
  const power = amountOf(ratioOf(ratio.over ** count, ratio.under ** count));
  return exponent < 0n ? divided(amount(1n), power, at) : power;
}

/** Returns the square root of a number: exact if it is a fraction, otherwise to 50 decimal places. */
function root(value: Amount, at: number): Amount {
  const { ratio } = plain(value, at);
  if (ratio.over < 0n) throw new Mistake('A negative number has no root', at);
  const [over, under] = [floorRoot(ratio.over), floorRoot(ratio.under)];
  if (over * over === ratio.over && under * under === ratio.under) return amountOf(ratioOf(over, under));
  const scale = 10n ** 50n;
  return { ...amountOf(ratioOf(floorRoot((ratio.over * scale * scale) / ratio.under), scale)), isRounded: true };
}

function floorRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 10n ** BigInt(Math.ceil(String(value).length / 2));
  for (;;) {
    const better = (guess + value / guess) / 2n;
    if (better >= guess) return guess;
    guess = better;
  }
}

/** Returns the number times `scale`, rounded half away from zero. */
function roundedOver({ over, under }: Ratio, scale: bigint): bigint {
  const doubled = (absolute(over) * scale * 2n + under) / (under * 2n);
  return over < 0n ? -doubled : doubled;
}

function unitNamed({ text, at }: Token) {
  const found = UNITS.get(text);
  if (!found) throw new Mistake(`"${text}" is no unit that is known here: ${[...UNITS.keys()].join(', ')}`, at);
  return found;
}

function written(value: Amount, name: string, places: number): { result: string; exact: boolean } {
  const { ratio: size, zero } = UNITS.get(name) ?? { ratio: ratioOf(1n) };
  const shifted = zero ? plus(value.ratio, zero, -1n) : value.ratio;
  const shown = product(shifted, { over: size.under, under: size.over });
  const scale = 10n ** BigInt(places);
  const rounded = roundedOver(shown, scale);
  const digits = String(absolute(rounded)).padStart(places + 1, '0');
  const [before, after] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  const fraction = after.replace(/0+$/, '');
  const number = `${rounded < 0n ? '-' : ''}${before}${fraction && `.${fraction}`}`;
  const exact =
    !value.isRounded && ratioOf(rounded, scale).over * shown.under === shown.over * ratioOf(rounded, scale).under;
  return { result: name === '' ? number : `${number} ${name}`, exact };
}

function dayIn(text: string, at: number): Day {
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
    throw new Mistake(`There is no day ${text}`, at);
  return { day: time / DAY_MS };
}

function textOfDay({ day }: Day, at: number): string {
  const date = new Date(day * DAY_MS);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999 || date.getUTCFullYear() < 0)
    throw new Mistake('The date is outside of the years 0 to 9999', at);
  return date.toISOString().slice(0, 10);
}
