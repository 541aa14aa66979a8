import { batchesOf, countsOfTerms, MOST_CHARACTERS, MOST_ENTRIES, MOST_SPAN_MS, termsOf } from './audit-batch.rules.js';
import { MOST_TEXT_BYTES, textOf, toBody } from './audit-body.rules.js';
import { type PreparedRecord, toRecord } from './audit-record.rules.js';
import { auditEntry } from './testing.js';

const START = Date.UTC(2026, 0, 1);
const recordAt = (ms: number, change = {}) => toRecord(auditEntry({ at: new Date(START + ms), ...change }));
const sizes = (records: readonly PreparedRecord[]) => batchesOf(records).map(({ entries }) => entries);

describe('batchesOf', () => {
  it('puts records into one batch, with their times and terms, one in a line', () => {
    const records = [2, 0, 1].map((ms) =>
      recordAt(ms, ms === 0 ? { outcome: 'denied', client: null, admin: 'ada' } : {}),
    );
    const [batch, ...others] = batchesOf(records);
    expect(others).toEqual([]);
    expect(batch).toEqual({
      text: records.map(({ json }) => json).join('\n'),
      entries: 3,
      fromMs: START,
      toMs: START + 2,
      terms: new Map([
        ['c:ide', 2],
        ['s:forecast', 3],
        ['a:ada', 1],
        ['o:denied', 1],
      ]),
    });
  });

  it('begins another batch when one is full', () => {
    const record = recordAt(0);
    expect(sizes(Array.from({ length: 2 * MOST_ENTRIES + 1 }, () => record))).toEqual([MOST_ENTRIES, MOST_ENTRIES, 1]);
    const long = { ...record, json: 'x'.repeat(MOST_CHARACTERS / 2) };
    expect(sizes([long, long, long, long, long])).toEqual([2, 2, 1]);
    expect(sizes([])).toEqual([]);
  });

  it('begins another batch when times are too far apart, in either direction', () => {
    expect(sizes([recordAt(0), recordAt(MOST_SPAN_MS)])).toEqual([2]);
    expect(sizes([recordAt(0), recordAt(MOST_SPAN_MS + 1)])).toEqual([1, 1]);
    expect(sizes([recordAt(MOST_SPAN_MS + 1), recordAt(0), recordAt(1)])).toEqual([1, 2]);
  });

  it('makes no text that is too long to be read, however long the records are', async () => {
    const state = Object.fromEntries(Array.from({ length: 2_000 }, (_value, n) => [`${n}`, '€'.repeat(1_000)]));
    const long = recordAt(0, { arguments: state, before: state, after: state, subject: '€'.repeat(9_000) });
    const records = Array.from({ length: 200 }, () => long);
    for (const { text } of batchesOf(records)) {
      expect(Buffer.byteLength(text)).toBeLessThan(MOST_TEXT_BYTES / 2);
      expect(textOf(await toBody(text))).toBe(text);
    }
  });
});

describe('the terms of entries', () => {
  it('are empty for a successful call, except for its caller and kind', () => {
    const { facts } = recordAt(0, { client: null, subject: null });
    expect(termsOf(facts)).toEqual([]);
    expect(termsOf(recordAt(0, { kind: 'change', outcome: 'error', admin: 'ada' }).facts)).toEqual([
      'c:ide',
      'a:ada',
      's:forecast',
      'o:error',
      'k:change',
    ]);
  });

  it('are short, however long the names are', () => {
    const name = '€'.repeat(10_000);
    const { facts } = recordAt(0, { client: { name, groups: [] }, admin: name, subject: name, outcome: name });
    for (const term of countsOfTerms([facts]).keys()) expect(Buffer.byteLength(term)).toBeLessThan(2_000);
  });
});
