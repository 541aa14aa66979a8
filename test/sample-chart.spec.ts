import { resolve } from 'node:path';
import { crc32, inflateSync } from 'node:zlib';
import { callSkill, stopTrials } from '../src/features/modules/trial/call-skill.js';

const CHART = resolve('samples/modules/chart.ts');
const WIDTH = 800;
const HEIGHT = 450;
const BLUE = '31,119,180';
const ORANGE = '255,127,14';

/** Decodes a PNG: checks every chunk and its checksum. Returns the colour of each pixel. */
function pixelsOf(png: Buffer): (x: number, y: number) => string {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const typed = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
    chunks.set(typed.toString('latin1', 0, 4), typed.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR') ?? Buffer.alloc(0);
  expect([header.readUInt32BE(0), header.readUInt32BE(4), ...header.subarray(8)]).toEqual([800, 450, 8, 2, 0, 0, 0]);
  const data = inflateSync(chunks.get('IDAT') ?? '');
  expect(data.length).toBe(HEIGHT * (WIDTH * 3 + 1));
  for (let y = 0; y < HEIGHT; y += 1) expect(data[y * (WIDTH * 3 + 1)]).toBe(0);
  return (x, y) => [...data.subarray(y * (WIDTH * 3 + 1) + 1 + x * 3).subarray(0, 3)].join();
}

const called = async (chart: object) => callSkill(CHART, { ...chart });

async function drawn(chart: object) {
  const { content, isError } = await called(chart);
  expect(isError).toBeUndefined();
  const [picture, summary] = content;
  if (picture?.data === undefined || summary?.text === undefined) throw new Error('there is no image with a text');
  expect(picture.mimeType).toBe('image/png');
  const at = pixelsOf(Buffer.from(picture.data, 'base64'));
  const count = (colour: string, in_ = { left: 0, right: WIDTH }) => {
    let found = 0;
    for (let y = 0; y < HEIGHT; y += 1)
      for (let x = in_.left; x < in_.right; x += 1) if (at(x, y) === colour) found += 1;
    return found;
  };
  return { summary: summary.text, base64: picture.data, at, count };
}

const failed = async (chart: object) => {
  const { isError, content } = await called(chart);
  const [first] = content;
  return [isError, first?.type === 'text' ? first.text : ''];
};

describe('the sample module chart', () => {
  afterAll(() => stopTrials());

  it('draws bars as high as their numbers, on both sides of zero', async () => {
    const values = [10, 20, -5, null];
    const { count, summary } = await drawn({ type: 'bar', labels: ['a', 'b', 'c', 'd'], series: [{ values }] });
    const slot = (WIDTH - 20 - 52) / 4; // the labels "-10" to "20" take 24 pixels, with a margin of 20 and a gap of 8
    const [ten = 0, twenty = 0, five = 0, none = 1] = values.map((_, index) =>
      count(BLUE, { left: Math.round(52 + slot * index), right: Math.round(52 + slot * (index + 1)) }),
    );
    expect([twenty / ten, five / ten].map((ratio) => ratio.toFixed(1))).toEqual(['2.0', '0.5']);
    expect(none).toBe(0);
    expect(summary).toBe('A bar chart of 4 labels, from a to d. Series 1: -5 to 20.');
  });

  it('draws slices as large as their parts', async () => {
    const labels = ['Half', 'Rest'];
    const { count, at } = await drawn({ type: 'pie', unit: 'h', labels, series: [{ values: [2, 6] }] });
    const pie = { left: 0, right: 460 }; // the legend is on its right
    expect((count(ORANGE, pie) / count(BLUE, pie)).toFixed(1)).toBe('3.0');
    expect([at(300, 150), at(300, 300), at(150, 150)]).toEqual([BLUE, ORANGE, ORANGE]); // clockwise, from the top
    expect((await drawn({ type: 'pie', labels, series: [{ values: [0, 6] }] })).count(BLUE, pie)).toBe(0);
  });

  it('draws a line through its numbers, with a gap where there is none', async () => {
    const series = [{ name: 'Load', values: [1, 1, null, 1, 5] }];
    const { at, summary } = await drawn({ type: 'line', title: 'Größe', unit: '%', labels: [...'abcde'], series });
    const column = (x: number) => Array.from({ length: HEIGHT - 120 }, (_, y) => at(x, y + 80)).includes(BLUE);
    const slot = (WIDTH - 20 - 36) / 5;
    expect([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4].map((slots) => column(Math.floor(36 + slot * slots)))).toEqual(
      [true, true, true, false, false, false, true, true], // prettier-ignore
    );
    expect(summary).toBe('A line chart "Größe" of 5 labels, from a to e, in %. Load: 1 to 5.');
  });

  it('writes Latin-1, and boxes for other characters', async () => {
    const title = (written: string) => drawn({ type: 'bar', title: written, labels: ['a'], series: [{ values: [1] }] });
    const images = await Promise.all(['Größe', 'Grosse', '日本', '本日', 'Gro\u0308ße', 'a–b', 'a-b'].map(title));
    const [umlaut, plain, box, otherBox, composed, dash, hyphen] = images.map(({ base64 }) => base64);
    expect(umlaut).not.toBe(plain);
    expect([otherBox, composed, dash]).toEqual([box, umlaut, hyphen]);
  });

  it.each([
    ['the largest and the least', 'line', [1e15, -1e15, 1e-300, 5e-324, 0]],
    ['numbers that hardly differ', 'line', [1e15, 1e15 - 1, 1e15 - 2]],
    ['one and the same', 'line', [7, 7, 7]],
    ['only zeros', 'bar', [0, 0]],
    ['tiny ones', 'bar', [1e-11, 3e-11]],
    ['one slice', 'pie', [3]],
    ['slices of which most are too thin to see', 'pie', [1e15, 1e-300, 1, 2, 3, 4, 5, 6, 7, 8]],
  ])('draws %s', async (_, type, values) => {
    const labels = values.map((value) => `${'long label '.repeat(15)}${value}`);
    const { count } = await drawn({
      type,
      title: '\u0000'.repeat(200),
      unit: 'x'.repeat(40),
      labels,
      series: [{ values }],
    });
    expect(count('255,255,255')).toBeGreaterThan(100_000);
  });

  it('draws as much as it may be given, in an image that is not large', async () => {
    const labels = Array.from({ length: 200 }, (_, index) => `label ${index}`.padEnd(200, 'x'));
    const values = labels.map((_, index) => (index % 2 === 0 ? 1e15 : -1e15));
    const series = Array.from({ length: 8 }, (_, index) => ({ name: `${index}`.repeat(200), values }));
    const { base64, summary } = await drawn({ type: 'line', labels, series });
    expect(base64.length).toBeLessThan(300_000);
    expect(summary.length).toBeLessThan(1_000);
  });

  const one = { labels: ['a', 'b'], series: [{ values: [1, 2] }] };
  it.each([
    [{ ...one, type: 'bar', series: [{ values: [1] }] }, 'series 1 has 1 values for 2 labels'],
    [{ ...one, type: 'bar', series: [{ values: [null, null] }] }, 'every value is null'],
    [{ ...one, type: 'pie', series: [{ values: [1, -1] }] }, 'no negative parts'],
    [{ ...one, type: 'pie', series: [{ values: [0, 0] }] }, 'above zero'],
    [{ ...one, type: 'pie', series: [...one.series, ...one.series] }, 'one series'],
    [{ type: 'pie', labels: Array(11).fill('a'), series: [{ values: Array(11).fill(1) }] }, 'at most 10 slices'],
    [
      { type: 'bar', labels: Array(200).fill('a'), series: Array(2).fill({ values: Array(200).fill(1) }) },
      'more than 300 bars',
    ],
    [{ ...one, type: 'bar', series: [{ values: [1e308, 1] }] }, '1000000000000000'],
    [{ ...one, type: 'bar', series: [{ values: ['many', NaN] }] }, 'values'],
    [{ ...one, type: 'bar', labels: [] }, 'labels'],
    [{ ...one, type: 'bar', series: [] }, 'series'],
    [{ ...one, type: 'bar', labels: Array(10_000).fill('a') }, 'labels'],
    [{ ...one, type: 'bar', labels: ['x'.repeat(201), 'b'] }, 'labels'],
    [{ ...one, type: 'donut' }, 'type'],
  ])('says what is wrong, and draws nothing: %#', async (chart, problem) => {
    expect(await failed(chart)).toEqual([true, expect.stringContaining(problem)]);
  });
});
