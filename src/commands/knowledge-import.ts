import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import type { Database } from '../database/database.js';
import { typeOfPath } from '../knowledge/import/imported-file.rules.js';
import { KnowledgeImport } from '../knowledge/import/knowledge-import.service.js';
import { provideKnowledge } from '../knowledge/knowledge.provider.js';
import { runOnDatabase } from './command.js';
import { ProgressLine } from './progress-line.js';

await runOnDatabase(async (database, args) => {
  const [folder] = args.filter((arg) => !arg.startsWith('--'));
  if (!folder) return 'Usage: npm run knowledge:import -- <folder> [--prune]';
  return importFolder(database, resolve(folder), args.includes('--prune'));
});

async function importFolder(database: Database, folder: string, prune: boolean): Promise<string> {
  // A service that runs on the same database finds the documents there; its clients are told of imports over REST only.
  const knowledge = provideKnowledge(database);
  const importer = new KnowledgeImport(knowledge);
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
    console.log(`${path}: its file is gone; ${prune ? 'removed' : 'kept (--prune removes it)'}`);
  }
  const { created, updated, unchanged, failed } = counts;
  if (failed > 0) process.exitCode = 1;
  return `${files.length} files: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed.`;
}

/** What can be imported, in alphabetical order; nothing from hidden folders and node_modules. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const isWanted = (name: string) =>
    typeOfPath(name) !== null && !name.split(sep).some((part) => part.startsWith('.') || part === 'node_modules');
  return names.filter(isWanted).sort();
}
