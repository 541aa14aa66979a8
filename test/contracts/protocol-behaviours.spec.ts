import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Era, ERAS, NOT_SHOWN, PROTOCOL_BEHAVIOURS, SPECIFICATION } from './protocol-behaviours.js';

interface Citation {
  /** File and line of the comment. */
  at: string;
  id: string;
  eras: readonly Era[];
  /** The first line of code after the comment. */
  subject: string;
}

const CITES = /^\s*\/\/ Shows in (both eras|2025-11-25|2026-07-28): (.+)$/;
const IS_TEST = /^\s*it(\.each\b.*)?\(/;

function citationsIn(file: string): Citation[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const [, eras, ids] = CITES.exec(line) ?? [];
    if (eras === undefined || ids === undefined) return [];
    const subject = lines.slice(index).find((later) => !later.trim().startsWith('//')) ?? '';
    return ids.split(',').map((id) => ({
      at: `${file}:${index + 1}`,
      id: id.trim(),
      eras: ERAS.filter((era) => eras === 'both eras' || eras === era),
      subject,
    }));
  });
}

const specs = ['src', 'libs', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(spec|e2e-spec)\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
);
const citations = specs.flatMap(citationsIn);
const behaviours = new Map(PROTOCOL_BEHAVIOURS.map((behaviour) => [behaviour.id, behaviour]));
const erasOf = (id: string) => ERAS.filter((era) => behaviours.get(id)?.sections[era] !== undefined);

describe('the behaviours of the protocol', () => {
  it('are each shown by a test, in every era that asks for them', () => {
    const shown = new Set(citations.flatMap(({ id, eras }) => eras.map((era) => `${id} ${era}`)));
    const missing = PROTOCOL_BEHAVIOURS.flatMap(({ id, sections }) =>
      ERAS.filter((era) => sections[era] !== undefined && !shown.has(`${id} ${era}`)).map(
        (era) => `${id}: ${SPECIFICATION}/${era}/${sections[era]}`,
      ),
    );
    expect(missing).toEqual([]);
  });

  it('are listed when a test cites them, in the eras that it cites', () => {
    const wrong = citations.filter(({ id, eras }) => eras.some((era) => !erasOf(id).includes(era)));
    expect(wrong.map(({ at, id }) => `${at} cites ${id}`)).toEqual([]);
  });

  it('are cited above tests that run', () => {
    const loose = citations.filter(({ subject }) => !IS_TEST.test(subject) || /\b(skip|todo|failing)\b/.test(subject));
    expect(loose.map(({ at, id }) => `${at} cites ${id}`)).toEqual([]);
  });

  it('have each an id of their own and sections of the specification', () => {
    expect(behaviours.size).toBe(PROTOCOL_BEHAVIOURS.length);
    for (const { id, sentence, sections } of PROTOCOL_BEHAVIOURS) {
      expect(id).toMatch(/^[a-z0-9]+(\.[a-z0-9-]+)?$/);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(Object.values(sections).length).toBeGreaterThan(0);
      for (const section of Object.values(sections))
        expect(section).toMatch(/^((basic|server)\/[a-z/-]+|ext-tasks)#[a-z_-]+$/);
    }
  });

  it('that no test shows say why', () => {
    for (const { section, why } of NOT_SHOWN) {
      expect(section).toMatch(/^(2025-11-25|2026-07-28)\/(basic|server)\/[a-z/-]+#[a-z-]+$/);
      expect(why).toMatch(/^[A-Z].*\.$/);
    }
  });
});
