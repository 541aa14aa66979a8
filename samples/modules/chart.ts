// Draws bar, line and pie charts as PNG, pixel by pixel, because assistants show PNG but not SVG.
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { failure, image, result, skill, text } from 'agent-service/skill';

interface Series {
  name?: string;
  values: (number | null)[];
}
interface Chart {
  type: 'bar' | 'line' | 'pie';
  title?: string;
  unit?: string;
  labels: string[];
  series: Series[];
}
type Colour = readonly [red: number, green: number, blue: number];

const WIDTH = 800;
const HEIGHT = 450;
const MARGIN = 20;
const MOST_LABELS = 200;
/** With more, bars and gaps would be about a pixel wide. */
const MOST_BARS = 300;
const MOST_NUMBER = 1e15;
/** Smaller absolute values are treated as zero. */
const LEAST_NUMBER = 1e-12;
const LINE_HEIGHT = 20;
const LONGEST_NAME = 24;

const INK: Colour = [40, 44, 52];
const GRID: Colour = [222, 225, 230];
const PAPER: Colour = [255, 255, 255];
/** The colours of the series or slices, in order. */
const COLOURS: Colour[] = [
  ...([
    [31, 119, 180],
    [255, 127, 14],
    [44, 160, 44],
    [214, 39, 40],
    [148, 103, 189],
  ] as const),
  ...([
    [140, 86, 75],
    [227, 119, 194],
    [127, 127, 127],
    [188, 189, 34],
    [23, 190, 207],
  ] as const),
];

/** Glyphs of the X11 font 8x13 (misc-fixed, public domain): characters 32 to 126 and 160 to 255, one bit per pixel. */
const GLYPH = { width: 8, height: 13 };
const GLYPHS = inflateSync(
  Buffer.from(
    'eNptVjFrHDsQFssSxOMwwrhYHuZlMSqOVEtIcRwiLIswy2HCcZgUwYU5QqoQrnBxxSLMFilSHVulCK9IeWV+QUiRX5EqRaoUIT8gZGY0WumcjL34' +
      'vh3p0yfN6DsLcRDKh1AItNZJSmsHP/6NMsvl7ORkS8POVlpKpR9YP65q22ph58wW5+cwSCkpcwQlfgJcEnPhCp1q6NJ5ELOq5k+duKN3hiOzLJeq' +
      'rG9v8VWhGwxdUL5a0oZonmmaLC/K2iFwMOc0yxpD2iYn2lqXkzZX11frkDktETUe4BwUXTJbQw+D8znImCWyvDb+67dAOpXMM5bv6Bejxte4iVGo' +
      'lEIyeLJ6uqjNuDkHD4KtbSw9fliN4eXAWwyfgf3UW3hcCupxzhNQjqBhZqLuuBHo3O7nFJY219h2eb1sLQ2rOYi67z/vh6Hve8+2Xi3Omc00Pkhb' +
      'Bx+6qABjtTBZyARq1GZCFX6p0JgsdGTre2vtdDpVHvT9MAx7y5mpmlovh0AgcL5dvGpT+iC221uqQ0b12UofdIjAJP6MX5CQd96Z7DGfaO1bZ30V' +
      'Mk2oT5Zl8/OGh1HGceb0rCw71MOZubWz2mCO2fyJwgWtxvqIXEyoQFghGGbbDR9ilZYR4jucztAzSNi4ECZm1ldcIQFCsbV9y16dJdpMU014jhd9' +
      'dsoZizGPgOtDhQj1wUrqAho6ALpCzOewQlSfI3CKCi7dUWJPvowbuIsTsJENechlK/4eSiRz1OxyubzkiwlnvQHV6y8swGhtGhHapQs25A3RExS6' +
      'LLQucnKXA3uc2WH/fj/4SyJmubFmdKtj3e5afTyOdeE46RQTgv2HPRO4dAu45F1/7LzXyqreimC8SrYVA6nuHAPW98UzLOnjm5ubRycQI/0fZyYL' +
      'UV7D0WyEiKYuwkICNwNboh7/CD397Z/jf+8xuPiZTdR/AK53pRpecIaqUNa+xeDKoI85aj4QGgF8DUTw8CIBWh8MKyIQr3a73bsfu93/BzYIvLCO' +
      'I7dzfp0IYJ0IdApKxd7X+TkRwJwIrE0A2e1Xttvnb0X/6f3w5nXPbGhKfWAbAbKNAOZEgNQjOLgkmTlfLFar1drURB1tUKYAqCPQ+nCY9T5IpQtO' +
      '7LsPfP2iacir4OCii+UpAO4IoEAR6CQD9UkyEC+Pu93w8sAGsUFxndH54EUEuM4IdArK1Png/4cIqjYBbQJ0Mc2jv4Hq6HylSpxPpoAUJHMi0GlG' +
      '0FUc/1/BEvn6IHW0QZkCoI5gOj0clthg+PrACvk6UuY39T5S3Q==',
    'base64',
  ),
);
/** Replacements for common characters outside Latin-1. */
const SPELLINGS: Record<string, string> = {
  ...{
    '–': '-',
    '—': '-',
    '−': '-',
    '‘': "'",
    '’': "'",
    '“': '"',
    '”': '"',
    '„': '"',
    '…': '...',
    '€': 'EUR',
    '•': '·',
  },
  ...{ '\n': ' ', '\t': ' ', '\r': ' ' },
};

export default skill<Chart>({
  name: 'chart',
  title: 'Draw a chart',
  description:
    'Use this to show numbers as a picture: bars to compare, a line for what changes over time, a pie for parts of a whole. ' +
    'Returns a PNG image of 800 x 450 pixels. Example: { "type": "bar", "title": "Sales", "unit": "EUR", ' +
    '"labels": ["Q1", "Q2"], "series": [{ "name": "2025", "values": [120, 180] }, { "name": "2026", "values": [150, null] }] }.',
  input: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['bar', 'line', 'pie'], description: 'Kind of chart; a pie has one series.' },
      title: {
        type: 'string',
        maxLength: 200,
        description: 'What the chart shows, such as "Sales". By default, none.',
      },
      unit: {
        type: 'string',
        maxLength: 40,
        description: 'What the numbers count, such as "EUR". By default, nothing.',
      },
      labels: {
        type: 'array',
        items: { type: 'string', maxLength: 200 },
        minItems: 1,
        maxItems: MOST_LABELS,
        description: 'What each number is of, such as ["Q1", "Q2"]: a group of bars, a point of the line, or a slice.',
      },
      series: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 200, description: 'Name in the legend, such as "2026".' },
            values: {
              type: 'array',
              items: { type: ['number', 'null'], minimum: -MOST_NUMBER, maximum: MOST_NUMBER },
              maxItems: MOST_LABELS,
              description: 'A number for each label; null where there is none.',
            },
          },
          required: ['values'],
          additionalProperties: false,
        },
        minItems: 1,
        maxItems: 8,
        description: 'The numbers, for example [{ "name": "2026", "values": [150, 200] }].',
      },
    },
    required: ['type', 'labels', 'series'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },

  execute(chart) {
    const problem = problemOf(chart);
    if (problem !== null) return failure(problem);
    const canvas = new Canvas();
    const top = drawTitle(canvas, chart);
    if (chart.type === 'pie') drawPie(canvas, chart, top);
    else drawAxes(canvas, chart, drawLegend(canvas, chart, top));
    return result(image(canvas.png().toString('base64'), 'image/png'), text(summaryOf(chart)));
  },
});

/** Returns the problem of a chart; null = none. */
function problemOf({ type, labels, series }: Chart): string | null {
  for (const [index, { values }] of series.entries())
    if (values.length !== labels.length)
      return `series ${index + 1} has ${values.length} values for ${labels.length} labels: give each label one, or null`;
  const numbers = series.flatMap(numbersOf);
  if (numbers.length === 0) return 'there is no number to show: every value is null';
  if (type === 'bar' && labels.length * series.length > MOST_BARS)
    return `there are more than ${MOST_BARS} bars: use "type": "line", or show less`;
  if (type !== 'pie') return null;
  if (series.length > 1) return 'a pie shows one series: use "type": "bar" to compare several';
  if (labels.length > COLOURS.length)
    return `a pie has at most ${COLOURS.length} slices: add the small ones up as "Other", or use "type": "bar"`;
  if (numbers.some((number) => number < 0)) return 'a pie has no negative parts: use "type": "bar"';
  return sumOf(numbers) > 0 ? null : 'a pie needs a number above zero';
}

const numbersOf = ({ values }: Series): number[] => values.flatMap((value) => value ?? []);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const colourOf = (index: number): Colour => COLOURS[index % COLOURS.length] ?? INK;
const nameOf = ({ name }: Series, index: number): string => name || `Series ${index + 1}`;
const NUMBERS = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 10 });
const ROUNDED = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

/** Describes the image in words, for models and people who cannot see it. */
function summaryOf({ type, title, unit, labels, series }: Chart): string {
  const over =
    labels.length === 1
      ? clipped(labels[0] ?? '', 40)
      : `${labels.length} labels, from ${clipped(labels[0] ?? '', 40)} to ${clipped(labels.at(-1) ?? '', 40)}`;
  const ranges = series.map((one, index) => {
    const numbers = numbersOf(one);
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map((number) => ROUNDED.format(number));
    return `${clipped(nameOf(one, index), 40)}: ${numbers.length === 0 ? 'no number' : least === most ? least : `${least} to ${most}`}`;
  });
  return `A ${type} chart${title ? ` "${title}"` : ''} of ${over}${unit ? `, in ${unit}` : ''}. ${ranges.join('; ')}.`;
}

/** Ten times as fast as `Math.hypot`. */
const lengthOf = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** An image to draw shapes on. Coordinates are pixels from the left and from the top. */
class Canvas {
  private readonly pixels = new Uint8Array(WIDTH * HEIGHT * 3).fill(255);

  rectangle(left: number, top: number, right: number, bottom: number, colour: Colour): void {
    this.paint({ left, top, right, bottom }, colour, (x, y) => Math.max(left - x, x - right, top - y, y - bottom));
  }

  /** Draws a line with round ends, or a dot if both ends are the same. */
  line(x1: number, y1: number, x2: number, y2: number, radius: number, colour: Colour): void {
    const [dx, dy] = [x2 - x1, y2 - y1];
    const square = dx * dx + dy * dy || 1;
    const box = {
      ...{ left: Math.min(x1, x2) - radius, right: Math.max(x1, x2) + radius },
      ...{ top: Math.min(y1, y2) - radius, bottom: Math.max(y1, y2) + radius },
    };
    this.paint(box, colour, (x, y) => {
      const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / square));
      return lengthOf(x - x1 - along * dx, y - y1 - along * dy) - radius;
    });
  }

  /** Draws a slice of a circle. @param from, to fractions of the circle, 0 to 1, clockwise from the top */
  slice(x0: number, y0: number, radius: number, from: number, to: number, colour: Colour): void {
    const [start, end] = [from, to].map((part) => part * 2 * Math.PI);
    const past = (angle: number, x: number, y: number) => Math.sin(angle) * (y - y0) + Math.cos(angle) * (x - x0);
    const meet = to - from > 0.5 ? Math.min : Math.max;
    const box = { left: x0 - radius, top: y0 - radius, right: x0 + radius, bottom: y0 + radius };
    this.paint(box, colour, (x, y) => {
      const rim = lengthOf(x - x0, y - y0) - radius;
      return to - from >= 1 ? rim : Math.max(rim, meet(-past(start ?? 0, x, y), past(end ?? 0, x, y)));
    });
  }

  /** Draws a text whose top left corner is given. @param scale 1, or 2 for twice the size */
  text(left: number, top: number, written: string, scale = 1): void {
    const [x0, y0] = [Math.round(left), Math.round(top)];
    for (const [index, character] of [...written].entries())
      for (let y = 0; y < GLYPH.height; y += 1)
        for (let x = 0; x < GLYPH.width; x += 1) {
          if (!hasInk(character, x, y)) continue;
          const at = { left: x0 + (index * GLYPH.width + x) * scale, top: y0 + y * scale };
          this.rectangle(at.left, at.top, at.left + scale, at.top + scale, INK);
        }
  }

  png(): Buffer {
    const row = WIDTH * 3;
    const filtered = Buffer.alloc(HEIGHT * (row + 1)); // each row begins with its filter type: 0 = none
    for (let y = 0; y < HEIGHT; y += 1) filtered.set(this.pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
    const header = Buffer.alloc(13);
    header.writeUInt32BE(WIDTH, 0);
    header.writeUInt32BE(HEIGHT, 4);
    header.set([8, 2], 8); // bit depth 8, colour type 2 = RGB
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(filtered)), chunk('IEND')]);
  }

  /** Draws a shape with smooth edges. @param distance from a point to the edge of the shape, negative inside */
  private paint(
    box: { left: number; top: number; right: number; bottom: number },
    colour: Colour,
    distance: (x: number, y: number) => number,
  ): void {
    const [left, right] = [Math.max(0, Math.floor(box.left) - 1), Math.min(WIDTH, Math.ceil(box.right) + 1)];
    const [top, bottom] = [Math.max(0, Math.floor(box.top) - 1), Math.min(HEIGHT, Math.ceil(box.bottom) + 1)];
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1) {
        const covered = Math.min(1, Math.max(0, 0.5 - distance(x + 0.5, y + 0.5)));
        if (covered === 0) continue;
        const at = (y * WIDTH + x) * 3;
        for (let channel = 0; channel < 3; channel += 1) {
          const before = this.pixels[at + channel] ?? 0;
          this.pixels[at + channel] = Math.round(before + ((colour[channel] ?? 0) - before) * covered);
        }
      }
  }
}

/** Builds a chunk of a PNG file: length, type, content and checksum. */
function chunk(type: string, content = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

/** Returns whether a pixel of a character is set. Characters that the font lacks are drawn as a box. */
function hasInk(character: string, x: number, y: number): boolean {
  const code = character.codePointAt(0) ?? 0;
  const glyph = code >= 32 && code < 127 ? code - 32 : code >= 160 && code < 256 ? code - 65 : -1;
  if (glyph < 0) return x > 0 && x < 7 && y > 1 && y < 11 && (x === 1 || x === 6 || y === 2 || y === 10);
  const row = GLYPHS[glyph * GLYPH.height + y] ?? 0; // 8 pixels, one bit each
  return ((row >> (7 - x)) & 1) === 1;
}

const spelt = (written: string): string =>
  [...written.slice(0, 1_000).normalize('NFC')].map((character) => SPELLINGS[character] ?? character).join('');

/** Truncates a text to at most `longest` characters. */
function clipped(written: string, longest: number): string {
  const characters = [...spelt(written)];
  return characters.length > longest
    ? `${characters.slice(0, Math.max(0, longest - 2)).join('')}..`
    : characters.join('');
}

const widthOf = (written: string): number => [...written].length * GLYPH.width;

/** Draws the title. Returns the vertical position of the next part. */
function drawTitle(canvas: Canvas, { title = '' }: Chart): number {
  if (title === '') return MARGIN;
  const most = (WIDTH - 2 * MARGIN) / GLYPH.width;
  const scale = [...spelt(title)].length * 2 > most ? 1 : 2;
  const shown = clipped(title, most);
  canvas.text((WIDTH - widthOf(shown) * scale) / 2, MARGIN - 6, shown, scale);
  return MARGIN + GLYPH.height * scale + 6;
}

function drawLegend(canvas: Canvas, { series }: Chart, top: number): number {
  if (series.length === 1 && !series[0]?.name) return top;
  let [x, y] = [MARGIN, top];
  for (const [index, one] of series.entries()) {
    const name = clipped(nameOf(one, index), LONGEST_NAME);
    if (x + 18 + widthOf(name) > WIDTH - MARGIN) [x, y] = [MARGIN, y + LINE_HEIGHT];
    canvas.rectangle(x, y + 1, x + 12, y + 13, colourOf(index));
    canvas.text(x + 18, y, name);
    x += 18 + widthOf(name) + 24;
  }
  return y + LINE_HEIGHT + 4;
}

/** Returns the 4 to 8 round numbers of an axis that includes all values. */
function ticksFor(type: Chart['type'], numbers: readonly number[]): number[] {
  let [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  // The axis of bars includes zero, and so does that of lines with values close to zero.
  if (type === 'bar' || (low > 0 && low < high / 2)) low = Math.min(0, low);
  if (type === 'bar' || (high < 0 && high > low / 2)) high = Math.max(0, high);
  if (low === high)
    [low, high] = type === 'bar' ? [0, 1] : [low - (Math.abs(low) || 1) / 10, high + (Math.abs(high) || 1) / 10];
  const least = Math.max((high - low) / 5, Math.max(Math.abs(low), Math.abs(high)) / 1e9);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, index) => (first + index) * step + 0);
}

function drawAxes(canvas: Canvas, { type, unit = '', labels, series }: Chart, legendEnd: number): void {
  const values = series.map((one) =>
    one.values.map((value) => (value !== null && Math.abs(value) < LEAST_NUMBER ? 0 : value)),
  );
  const ticks = ticksFor(
    type,
    values.flat().filter((value) => value !== null),
  );
  const names = ticks.map((tick) => NUMBERS.format(tick));
  const left = MARGIN + Math.max(...names.map(widthOf)) + 8;
  const [right, bottom] = [WIDTH - MARGIN, HEIGHT - MARGIN - LINE_HEIGHT];
  if (unit !== '') canvas.text(MARGIN, legendEnd, clipped(unit, 40));
  const top = legendEnd + (unit === '' ? 0 : LINE_HEIGHT) + GLYPH.height / 2;
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const yOf = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top);
  for (const [index, tick] of ticks.entries()) {
    const [y, name] = [Math.round(yOf(tick)), names[index] ?? ''];
    canvas.rectangle(left, y, right, y + 1, tick === 0 ? INK : GRID);
    canvas.text(left - 8 - widthOf(name), y - GLYPH.height / 2, name);
  }
  const slot = (right - left) / labels.length;
  drawLabels(canvas, labels, left, slot, bottom + 8);
  if (type === 'bar') drawBars(canvas, values, left, slot, yOf);
  else for (const [index, line] of values.entries()) drawLine(canvas, line, index, left, slot, yOf);
}

/** Draws as many labels as fit, at regular intervals. */
function drawLabels(canvas: Canvas, labels: readonly string[], left: number, slot: number, top: number): void {
  const longest = Math.min(14, Math.max(...labels.map((label) => [...spelt(label)].length)));
  const every = Math.ceil(((longest + 1) * GLYPH.width) / slot);
  for (let index = 0; index < labels.length; index += every) {
    const label = clipped(labels[index] ?? '', Math.floor((slot * every) / GLYPH.width) - 1);
    const middle = left + slot * (index + 0.5) - widthOf(label) / 2;
    canvas.text(Math.min(WIDTH - 2 - widthOf(label), Math.max(2, middle)), top, label);
  }
}

type Scale = (value: number) => number;
type Values = readonly (number | null)[];

function drawBars(canvas: Canvas, series: readonly Values[], left: number, slot: number, yOf: Scale): void {
  const gap = Math.min(slot * 0.25, 40);
  const width = Math.min((slot - gap) / series.length, 120);
  const before = (slot - width * series.length) / 2;
  for (const [index, values] of series.entries())
    for (const [at, value] of values.entries()) {
      if (!value) continue;
      const x = left + slot * at + before + width * index;
      const [top, bottom] = [yOf(Math.max(0, value)), yOf(Math.min(0, value))];
      canvas.rectangle(x, top, x + width * 0.96, bottom, colourOf(index));
    }
}

function drawLine(canvas: Canvas, values: Values, index: number, left: number, slot: number, yOf: Scale): void {
  const radius = values.length > 40 ? 1.5 : 3.5;
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const [x, y, next] = [left + slot * (at + 0.5), yOf(value), values[at + 1] ?? null];
    canvas.line(x, y, x, y, radius, colourOf(index));
    if (next !== null) canvas.line(x, y, x + slot, yOf(next), 1.25, colourOf(index));
  }
}

function drawPie(canvas: Canvas, { unit = '', labels, series }: Chart, top: number): void {
  const values = labels.map((_, index) => series[0]?.values[index] ?? 0);
  const sum = sumOf(values);
  const radius = (HEIGHT - MARGIN - top) / 2;
  const [x0, y0] = [MARGIN + 210, top + radius];
  const right = x0 + 240;
  let from = 0;
  for (const [index, value] of values.entries()) {
    const to = from + value / sum;
    canvas.slice(x0, y0, radius, from, to, colourOf(index));
    from = to;
    const y = y0 + (index - values.length / 2) * LINE_HEIGHT * 1.5;
    const share = `${ROUNDED.format(value)} ${clipped(unit, 12)}`.trimEnd();
    const shown = ` ${share} (${((value / sum) * 100).toFixed(1)}%)`;
    canvas.rectangle(right, y + 1, right + 12, y + 13, colourOf(index));
    canvas.text(
      right + 18,
      y,
      clipped(labels[index] ?? '', Math.floor((WIDTH - MARGIN - right - 18) / GLYPH.width) - shown.length) + shown,
    );
  }
  // White lines separate the slices.
  from = 0;
  for (const value of values) {
    const angle = from * 2 * Math.PI;
    if (value < sum) canvas.line(x0, y0, x0 + Math.sin(angle) * radius, y0 - Math.cos(angle) * radius, 0.75, PAPER);
    from += value / sum;
  }
}
