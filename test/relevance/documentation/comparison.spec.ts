import { describeEachDatabase } from '../../../src/platform/database/testing.js';
import { knowledgeOn } from '../../../src/features/knowledge/testing.js';
import { Random } from '../../fuzz/random.js';
import { describeUnlessMissing } from '../../support/left-out.js';
import type { CorpusDocument } from '../corpus.js';
import { ndcg } from '../ndcg.js';
import { miniSearch, porterPassages, type Search } from './baselines.js';
import { documentation, NEEDED } from './corpus.js';
import { HELD_OUT } from './held-out.js';
import type { JudgedQuery } from './judged-query.js';
import { TUNED } from './tuned.js';

const SETS = { tuned: TUNED, 'held-out': HELD_OUT } as const;
const KINDS = ['question', 'keywords'] as const;
const DEPTH = 10;
const RESAMPLED = 2_000;
/** Limits for the difference between the databases: of the mean, and of the share of queries with the same first hit. */
const LARGEST_DIFFERENCE = 0.01;
const LEAST_SAME_FIRST = 0.9;

type Outcomes = readonly { query: JudgedQuery; found: readonly string[] }[];

const pages = documentation() ?? [];
const all = [...TUNED, ...HELD_OUT];
/** By name of the search. */
const outcomes = new Map<string, Outcomes>();

describeUnlessMissing(NEEDED, 'searches of the documentation', () => {
  beforeAll(async () => {
    outcomes.set('FTS5 porter', await ask(porterPassages(pages)));
    outcomes.set('MiniSearch', await ask(miniSearch(pages)));
  });

  describeEachDatabase('are better than plain ones', (open, dialect) => {
    it('in each set, for questions and for keywords', async () => {
      const { knowledge } = knowledgeOn(await open());
      const keys = await saved(knowledge, pages);
      const search: Search = async (query) =>
        (await knowledge.search({ query, limit: DEPTH })).map(({ document }) => keys.get(document.id) ?? '');
      outcomes.set(dialect, await ask(search));
      process.stderr.write(table(dialect));
      for (const set of ['tuned', 'held-out'] as const) {
        for (const kind of KINDS) {
          const ours = mean(gains(dialect, set, kind));
          for (const other of ['FTS5 porter', 'MiniSearch']) {
            const theirs = mean(gains(other, set, kind));
            expect({ set, kind, other, ours, theirs, isBetter: ours > theirs }).toMatchObject({ isBetter: true });
          }
        }
      }
    });
  });

  it('find alike on both databases', () => {
    const [sqlite, postgres] = [outcomes.get('sqlite') ?? [], outcomes.get('postgres') ?? []];
    if (postgres.length === 0) return; // skipped, as reported by the tests of the database
    const difference = mean(sqlite.map(gainOf)) - mean(postgres.map(gainOf));
    const same = sqlite.filter(({ found }, position) => found[0] === postgres[position]?.found[0]).length;
    expect(Math.abs(difference)).toBeLessThanOrEqual(LARGEST_DIFFERENCE);
    expect(same / all.length).toBeGreaterThanOrEqual(LEAST_SAME_FIRST);
  });
});

async function saved(
  knowledge: ReturnType<typeof knowledgeOn>['knowledge'],
  documents: readonly CorpusDocument[],
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const { key, title, content } of documents) {
    keys.set((await knowledge.save({ title, content })).document.id, key);
  }
  return keys;
}

async function ask(search: Search): Promise<Outcomes> {
  const found: { query: JudgedQuery; found: readonly string[] }[] = [];
  for (const query of all) found.push({ query, found: await search(query.query) });
  return found;
}

const gainOf = ({ query, found }: Outcomes[number]): number =>
  ndcg(found, new Map(Object.entries(query.relevant)), DEPTH);

function of(name: string, set: keyof typeof SETS, kind: JudgedQuery['kind']): Outcomes {
  const asked: readonly JudgedQuery[] = SETS[set];
  return (outcomes.get(name) ?? []).filter(({ query }) => query.kind === kind && asked.includes(query));
}

const gains = (name: string, set: keyof typeof SETS, kind: JudgedQuery['kind']): number[] =>
  of(name, set, kind).map(gainOf);

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Returns half the width of the 95 % confidence interval of the mean, by bootstrapping. */
function uncertainty(numbers: readonly number[]): number {
  const random = new Random(1);
  const means = Array.from({ length: RESAMPLED }, () =>
    mean(numbers.map(() => numbers[random.integer(0, numbers.length)] ?? 0)),
  ).sort((a, b) => a - b);
  return ((means[Math.floor(RESAMPLED * 0.975)] ?? 0) - (means[Math.floor(RESAMPLED * 0.025)] ?? 0)) / 2;
}

/** The reciprocal rank of the first page that answers. */
const reciprocalRankOf = ({ query, found }: Outcomes[number]): number => {
  const rank = found.findIndex((key) => query.relevant[key] === 3);
  return rank < 0 ? 0 : 1 / (rank + 1);
};

function table(dialect: string): string {
  const lines = (['tuned', 'held-out'] as const).flatMap((set) =>
    KINDS.flatMap((kind) =>
      [dialect, 'FTS5 porter', 'MiniSearch'].map((name) => {
        const one = of(name, set, kind);
        const ranks = one.map(reciprocalRankOf);
        const scores = one.map(gainOf);
        return [
          `${set}, ${kind}, ${name}`.padEnd(36),
          `nDCG@10 ${mean(scores).toFixed(3)} ± ${uncertainty(scores).toFixed(3)}`,
          `MRR ${mean(ranks).toFixed(3)}`,
          `first ${ranks.filter((rank) => rank === 1).length} of ${ranks.length}`,
        ].join('  ');
      }),
    ),
  );
  return `${lines.join('\n')}\n`;
}
