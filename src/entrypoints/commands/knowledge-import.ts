import { resolve } from 'node:path';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { Database } from '../../platform/database/database.js';
import { KeyValueStore } from '../../platform/database/key-value.store.js';
import type { AppEvents } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { FolderImport, type FolderReport } from '../../features/knowledge/import/folder-import.service.js';
import { recordImport } from '../../features/knowledge/import/import-log.js';
import { ImportedFileReader } from '../../features/knowledge/import/imported-file-reader.service.js';
import { KnowledgeImport } from '../../features/knowledge/import/knowledge-import.service.js';
import { sourceName } from '../../features/knowledge/import/source.rules.js';
import { SourceStore } from '../../features/knowledge/import/source.store.js';
import { provideKnowledge } from '../../features/knowledge/standalone-knowledge.js';
import type { GivenArguments } from './command-line.rules.js';
import { ProgressLine, runOnDatabase } from './command.js';
import { countOf } from '../../platform/text/count-of.js';

const LINE = {
  usage: 'npm run knowledge:import -- <folder> [--name <name>] [--prune] [--follow-links] [--moved]',
  operands: ['folder'],
  options: {
    name: { type: 'string' },
    prune: { type: 'boolean' },
    'follow-links': { type: 'boolean' },
    moved: { type: 'boolean' },
  },
} as const;

await runOnDatabase(LINE, async (database, given) => {
  const changes: AppEvents['knowledge.changed'][] = [];
  const events = new EventBus(new EventEmitter2());
  events.on('knowledge.changed', (change) => changes.push(change));
  try {
    return await importFolder(database, events, given);
  } finally {
    // A service on the same database notifies its clients of the recorded changes.
    const left = await recordImport(new KeyValueStore(database), changes);
    if (left > 0)
      console.log(`Clients are not told of ${left} changes: too many wait for the service. A search finds them all.`);
  }
});

async function importFolder(database: Database, events: EventBus, given: GivenArguments): Promise<string> {
  const folder = resolve(given.operands[0] ?? '');
  const knowledge = provideKnowledge(database, events);
  const reader = new ImportedFileReader();
  const folders = new FolderImport(knowledge, new KnowledgeImport(knowledge, reader), new SourceStore(database));
  let progress: ProgressLine | undefined;
  try {
    const report = await folders.import({
      folder,
      name: sourceName(given.valueOf('name'), folder),
      moved: given.has('moved'),
      prune: given.has('prune'),
      followsOut: given.has('follow-links'),
      onFile: (path, outcome, total) => (progress ??= new ProgressLine(process.stdout, total)).advance(path, outcome),
    });
    progress?.end();
    for (const line of report.notes) console.log(line);
    if (report.failed > 0) process.exitCode = 1;
    return summaryOf(report);
  } finally {
    await reader.beforeApplicationShutdown();
  }
}

function summaryOf({ created, updated, unchanged, failed, skipped }: FolderReport): string {
  const files = created + updated + unchanged + failed;
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${countOf(files, 'file')}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed${left}.`;
}
