import { toRecord } from './audit-record.rules.js';
import { AuditQueue } from './audit-queue.js';
import { auditEntry } from './testing.js';

const ARGUMENTS = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`text${n}`, 'x'.repeat(1_000)]));
/** More such entries than a queue holds: 32 MB. */
const MANY = 8_000;

describe('a queue of entries', () => {
  const entry = auditEntry({ arguments: ARGUMENTS });
  const record = toRecord(entry);
  const awaited = () => Promise.withResolvers<void>();

  it('drops entries above its number of characters, and reports it', () => {
    const queue = new AuditQueue();
    for (let n = 0; n < MANY; n += 1) queue.add(entry, record, null);
    expect(queue.size * record.json.length).toBeGreaterThan(16 * 1024 * 1024);
    expect(queue.size).toBeLessThan(MANY);
  });

  it.each([
    ['that somebody waits for', (queue: AuditQueue) => queue.takeAwaited()],
    ['of a batch', (queue: AuditQueue) => queue.takeBatch()],
  ])('has room again for the characters of entries %s when they are taken', (_title, take) => {
    const queue = new AuditQueue();
    for (let n = 0; n < MANY; n += 1) {
      queue.add(entry, record, awaited());
      expect(take(queue)).toHaveLength(1);
    }
    queue.add(entry, record, null);
    expect(queue.takeBatch().map(({ call }) => call?.tool)).toEqual(['forecast']);
  });

  it('has no room for entries that are put back', () => {
    const queue = new AuditQueue();
    for (let n = 0; n < MANY; n += 1) queue.add(entry, record, awaited());
    queue.requeue(queue.takeAwaited());
    queue.add(entry, record, null);
    expect(queue.size).toBe(MANY);
  });
});
