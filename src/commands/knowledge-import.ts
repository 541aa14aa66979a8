import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { FactStore } from '../database/fact.store.js';
import type { AppEvents } from '../events/app-events.js';
import { EventBus } from '../events/event-bus.service.js';
import { recordImport } from '../knowledge/import/import-log.js';
import { ImportedFileReader } from '../knowledge/import/imported-file-reader.service.js';
import { typeOfPath } from '../knowledge/import/imported-file.rules.js';
import { KnowledgeImport } from '../knowledge/import/knowledge-import.service.js';
import type { KnowledgeService } from '../knowledge/knowledge.service.js';
import { provideKnowledge } from '../knowledge/standalone-knowledge.js';
import { runOnDatabase, ProgressLine } from './command.js';

await runOnDatabase(async (database, args) => {
  const [folder] = args.filter((arg) => !arg.startsWith('--'));
  if (!folder) return 'Usage: npm run knowledge:import -- <folder> [--prune]';
  const changes: AppEvents['knowledge.changed'][] = [];
  const events = new EventBus(new EventEmitter2());
  events.on('knowledge.changed', (change) => changes.push(change));
  try {
    return await importFolder(provideKnowledge(database, events), resolve(folder), args.includes('--prune'));
  } finally {
    // A service that runs on the same database tells its clients about the recorded changes.
    await recordImport(new FactStore(database), changes);
  }
});

async function importFolder(knowledge: KnowledgeService, folder: string, prune: boolean): Promise<string> {
  const importer = new KnowledgeImport(knowledge, new ImportedFileReader());
  const name = basename(folder);
  const files = await filesIn(folder);
  const progress = new ProgressLine(process.stdout, files.length);
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const file of files) {
    const path = `${name}/${file.split(sep).join('/')}`;
    const content = await readFile(join(folder, file), 'utf8');
    const { outcome, problem } = await importer.importOne({ path, content }, 'import');
    counts[outcome] += 1;
    progress.advance(path, outcome === 'failed' ? `failed: ${problem}` : outcome);
  }
  progress.end();
  const removed = await importer.listRemoved(
    name,
    new Set(files.map((file) => `${name}/${file.split(sep).join('/')}`)),
  );
  for (const { id, path } of removed) {
    if (prune) await knowledge.remove(id);
    console.log(`${path}: its file no longer exists; ${prune ? 'removed' : 'kept (--prune removes it)'}`);
  }
  const { created, updated, unchanged, failed } = counts;
  if (failed > 0) process.exitCode = 1;
  return `${files.length} files: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed.`;
}

/**
 * Lists the files that can be imported, in alphabetical order; leaves out hidden files and folders and node_modules.
 */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const isWanted = (name: string) =>
    typeOfPath(name) !== null && !name.split(sep).some((part) => part.startsWith('.') || part === 'node_modules');
  return names.filter(isWanted).sort();
}
