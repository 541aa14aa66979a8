import { zstdCompressSync } from 'node:zlib';
import { joinBodies } from './audit-bodies.js';
import { toRecord } from './audit-record.rules.js';
import { type AuditFilter, type EntryPlace, searchBatches } from './audit-search.rules.js';
import { auditEntry } from './testing.js';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);

/** Searches batches of entries; the first entry has the number 1. */
function search(batches: Parameters<typeof auditEntry>[0][][], filter: AuditFilter, before: EntryPlace | null = null) {
  let seq = 1;
  const firstSeqs = batches.map(({ length }) => (seq += length) - length);
  const bodies = joinBodies(
    batches.map((entries) => zstdCompressSync(entries.map((entry) => toRecord(auditEntry(entry)).json).join('\n'))),
  );
  const { found, unreadable } = searchBatches({ bodies, firstSeqs, filter, before, limit: 3 });
  return { found: found.map((entry) => [entry.seq, entry.batch]), unreadable };
}

describe('searchBatches', () => {
  const ENTRY = {
    client: { name: 'Über "Werk"', groups: ['g'] },
    subject: 'a\\b',
    message: 'line one\nline "two" 100%',
    arguments: { city: 'Oslo', text: 'tab\tß' },
  };

  it.each([
    ['über', true],
    ['"werk"', true],
    ['WERK" ', true],
    ['a\\b', true],
    ['one\nline', true],
    ['line "TWO" 100%', true],
    ['"city":"oslo"', true],
    ['tab\\t', true],
    ['"', true],
    ['line two', false],
    ['callTool', false],
    ['"outcome":"ok"', false],
    ['"client"', false],
    ['one line', false],
  ])('looks for %j in names, subject, message and arguments, and nowhere else', (q, isFound) => {
    expect(search([[ENTRY]], { q }).found).toEqual(isFound ? [[1, 0]] : []);
  });

  it('compares values as a whole, and only those of the entry itself', () => {
    const trap = {
      subject: 'x',
      arguments: { client: 'ide', outcome: 'denied' },
      client: { name: 'ide2', groups: [] },
    };
    expect(search([[trap, {}]], { client: 'ide' }).found).toEqual([[2, 0]]);
    expect(search([[trap, {}]], { client: 'id' }).found).toEqual([]);
    expect(search([[trap, { outcome: 'denied' }]], { outcome: 'denied' }).found).toEqual([[2, 0]]);
    expect(search([[ENTRY, {}]], { client: ENTRY.client.name, subject: ENTRY.subject }).found).toEqual([[1, 0]]);
  });

  it('finds from a time on, up to another one, which is left out', () => {
    const batch = [0, 1, 2, 3].map((ms) => ({ at: at(ms) }));
    expect(search([batch], { from: at(1), to: at(3) }).found).toEqual([
      [3, 0],
      [2, 0],
    ]);
  });

  it('returns the newest of all batches, as many as are asked for, after a place', () => {
    const batches = [
      [{ at: at(5) }, { at: at(1) }],
      [{ at: at(3) }, { at: at(5) }, { at: at(4) }],
    ];
    expect(search(batches, {}).found).toEqual([
      [4, 1],
      [1, 0],
      [5, 1],
    ]);
    expect(search(batches, {}, { at: at(5).toISOString(), seq: 4 }).found).toEqual([
      [1, 0],
      [5, 1],
      [3, 1],
    ]);
  });

  it('continues after an unreadable text', () => {
    const bodies = joinBodies([new Uint8Array(), zstdCompressSync(toRecord(auditEntry()).json)]);
    const job = { bodies, firstSeqs: [1, 2], filter: {}, before: null, limit: 3 };
    expect(searchBatches(job)).toMatchObject({ found: [{ seq: 2, batch: 1 }], unreadable: [0] });
  });
});
