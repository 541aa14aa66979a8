import type { KnowledgeService } from '../../src/features/knowledge/knowledge.service.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import type { KnowledgeTrash } from '../../src/features/knowledge/trash/knowledge-trash.service.js';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { Random } from '../fuzz/random.js';
import { describeReplicas } from '../support/postgres.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('KNOWLEDGE_LOCKS_SEED');
const ROUNDS = Number(process.env['KNOWLEDGE_LOCKS_ROUNDS'] ?? 10);
const AT_ONCE = 60;

interface Replica {
  knowledge: KnowledgeService;
  trash: KnowledgeTrash;
}

describeReplicas('replicas that change the same documents at once', (databases) => {
  it('never wait for each other for ever', async () => {
    const random = new Random(SEED);
    const replicas = databases.map((database): Replica => knowledgeOn(database));
    for (let round = 0; round < ROUNDS; round += 1) {
      const done = await Promise.allSettled(
        Array.from({ length: AT_ONCE }, () => changeSomething(random, random.pick(replicas), round)),
      );
      // Errors because other replicas have changed or deleted a document before are expected.
      const failed = done
        .flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
        .filter((reason) => !(reason instanceof AppError) || reason instanceof DatabaseUnavailable);
      expect({ seed: SEED, round, failed: failed.map(String) }).toEqual({ seed: SEED, round, failed: [] });
    }
  });
});

/** Each round adds its own documents, and also uses those of earlier rounds. */
async function changeSomething(random: Random, { knowledge, trash }: Replica, round: number): Promise<unknown> {
  const number = 20 * round + random.integer(0, 20);
  const text = { title: `Title ${number % 4}`, content: `word${number} version${random.integer(0, 3)}` };
  const [kind, chosen] = [random.next(), random.next()];
  if (kind < 0.35) return knowledge.save(text);
  if (kind < 0.7) return knowledge.save({ ...text, path: `docs/${number}.md` });
  if (kind < 0.85) {
    const { items } = await knowledge.listPage({ limit: 50 });
    const { id = '' } = items[Math.floor(chosen * items.length)] ?? {};
    return kind < 0.78 ? knowledge.remove(id) : knowledge.save({ ...text, id });
  }
  const { items } = await trash.listPage({ limit: 50 });
  const { id = '' } = items[Math.floor(chosen * items.length)] ?? {};
  return kind < 0.95 ? trash.restore(id) : trash.purge(id);
}
