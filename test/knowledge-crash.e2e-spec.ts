import { sql } from 'kysely';
import { knowledgeOn } from '../src/features/knowledge/testing.js';
import { lockUnindexed } from '../src/platform/text/text-index.js';
import { ServerProcess } from './harness/server-process.js';
import { describeOnEachDatabase } from './support/databases.js';

const PASSWORD = 'crash-password';
const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
/** Number of documents to save; the process is killed when about half are saved. Up to 10,000 are sensible. */
const DOCUMENTS = Number(process.env['CRASH_DOCUMENTS'] ?? 600);
const CONNECTIONS = 8;
/** Too long to share a passage with the text before it. */
const FILLER = 'filler text '.repeat(70);

const start = (env: Record<string, string>): Promise<ServerProcess> =>
  ServerProcess.start({
    env: { LOG_LEVEL: 'warn', MCP_API_KEY: 'knowledge-crash-key', ADMIN_PASSWORD: PASSWORD, ...env },
  });

describeOnEachDatabase('the knowledge base', (data) => {
  let running: ServerProcess | undefined;

  afterEach(() => running?.kill());

  it('keeps every acknowledged document, and finds each, after it was killed', async () => {
    const server = await start(data.env);
    running = server;
    const acknowledged = new Map<string, string>(); // document id -> a word that occurs only in this document
    let next = 0;
    const saveUntilKilled = async () => {
      while (next < DOCUMENTS) {
        const word = `unique${(next += 1)}word`;
        const content = `# One\n\n${word}\n\n# Two\n\n${FILLER}`;
        const body = JSON.stringify({ title: `Document ${word}`, content });
        const headers = { authorization, 'content-type': 'application/json' };
        try {
          const res = await fetch(`${server.origin}/admin/api/knowledge`, { method: 'POST', headers, body });
          const { id } = (await res.json()) as { id: string };
          if (res.status === 201) acknowledged.set(id, word);
        } catch {
          return; // the service was killed
        }
        if (acknowledged.size >= DOCUMENTS / 2) await server.kill();
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, saveUntilKilled));
    expect(server.isRunning).toBe(false);
    expect(acknowledged.size).toBeGreaterThanOrEqual(DOCUMENTS / 2);

    const second = await start(data.env);
    await second.kill();
    const database = await data.open();
    const { knowledge } = knowledgeOn(database);
    const kept = new Map((await knowledge.listByAge({ limit: 100_000 })).items.map(({ id, title }) => [id, title]));
    expect([...acknowledged].filter(([id, word]) => kept.get(id) !== `Document ${word}`)).toEqual([]);

    // The index matches the table: it has one entry per passage, and finds each document by its unique word.
    const passages = await database.selectFrom('knowledge_passages').select('id').execute();
    expect(passages).toHaveLength(kept.size * 2);
    expect(await lockUnindexed(database, { index: 'knowledge_index', table: 'knowledge_passages', limit: 10 })).toEqual(
      [],
    );
    const { rows } = await sql<{ n: number }>`select count(*) as n from knowledge_index_counts`.execute(database);
    expect(Number(rows[0]?.n)).toBe(passages.length);
    for (const [id, word] of acknowledged) {
      const [hit] = await knowledge.search({ query: `"${word}"`, limit: 1 });
      if (hit?.document.id !== id) throw new Error(`${word} is not found`);
    }
    await database.destroy();
  }, 600_000);
});
