import { isLoggedOut } from '../../../api/api-error';
import { api, bodyOf, type Schemas } from '../../../api/client';
import type { ChosenFile } from '../../../components/chosen-files';
import { base64Of } from '../../../files/base64';
import { messageOf } from '../../../components/ErrorNotice';
import { batchesOf } from './import-batches';

export type ImportedFile = Schemas['ImportedFileView'];
export type PreviewedFile = Schemas['PreviewedFileView'];

/** A file to send, with the version of the document that it may replace: 0 = none, null = any. */
export interface FileToSend extends ChosenFile {
  version: number | null;
}

/** Larger files do not fit into a request. */
const MOST_BYTES = 11_000_000;
const TOO_LARGE = 'it is larger than 11 MB: import its folder on the server, with npm run knowledge:import';
const SAME_PATH = 'another file of this import has the same path: choose the folders that they are in instead';
const NOT_READ = 'the browser could not read it; it may have been moved or changed';

type OnProgress = (done: number) => void;

/** Requests a preview of importing files. */
export function preview(files: readonly ChosenFile[], onProgress: OnProgress): Promise<PreviewedFile[]> {
  const all = files.map((file) => ({ ...file, version: null }));
  return inBatches(all, onProgress, {
    send: async (body) => (await bodyOf(api.POST('/admin/api/knowledge/import/preview', { body }))).files,
    fail: (path, problem) => ({ ...failed(path, problem), title: null, present: null }),
  });
}

export function importFiles(files: readonly FileToSend[], onProgress: OnProgress): Promise<ImportedFile[]> {
  return inBatches(files, onProgress, {
    send: async (body) => (await bodyOf(api.POST('/admin/api/knowledge/import', { body }))).files,
    fail: failed,
  });
}

const failed = (path: string, problem: string): ImportedFile => ({
  file: path,
  path,
  outcome: 'failed',
  id: null,
  problem,
});

interface Sending<Result> {
  send: (body: Schemas['ImportBody']) => Promise<Result[]>;
  fail: (path: string, problem: string) => Result;
}

/** Sends files in as many requests as their size needs. A failed request does not stop the others. */
async function inBatches<Result>(
  files: readonly FileToSend[],
  onProgress: OnProgress,
  { send, fail }: Sending<Result>,
): Promise<Result[]> {
  const first = files.filter(({ path }, index) => files.findIndex((other) => other.path === path) === index);
  const results = files.filter((file) => !first.includes(file)).map(({ path }) => fail(path, SAME_PATH));
  const parts = (await Promise.all(first.map(partsOf))).flat();
  let done = 0;
  for (const batch of batchesOf(parts.map((part) => ({ ...part, size: part.file.size })))) {
    onProgress(done);
    const read = await Promise.all(batch.map(readFile));
    const readable = read.filter((file) => 'base64' in file);
    results.push(...read.flatMap((file) => ('problem' in file ? [fail(file.path, file.problem)] : [])));
    try {
      if (readable.length > 0) results.push(...(await send({ files: readable })));
    } catch (error) {
      if (isLoggedOut(error)) throw error;
      results.push(...readable.map(({ path }) => fail(path, messageOf(error))));
    }
    done += batch.length;
  }
  return results;
}

type ReadFile = { path: string; base64: string; version: number | null } | { path: string; problem: string };

async function readFile({ path, file, version }: FileToSend): Promise<ReadFile> {
  if (file.size > MOST_BYTES) return { path, problem: TOO_LARGE };
  try {
    return { path, base64: base64Of(new Uint8Array(await file.arrayBuffer())), version };
  } catch {
    return { path, problem: NOT_READ };
  }
}

/** Splits a long export of a knowledge base into parts that fit into a request; returns other files unchanged. */
async function partsOf(whole: FileToSend): Promise<FileToSend[]> {
  if (whole.file.size <= MOST_BYTES) return [whole];
  const items = itemsOf(await whole.file.text().catch(() => ''));
  if (!items) return [whole];
  const sized = items.map((item) => ({ text: JSON.stringify(item), size: new Blob([JSON.stringify(item)]).size }));
  return batchesOf(sized).map((batch) => {
    const text = `{"items":[${batch.map((item) => item.text).join(',')}]}`;
    return { ...whole, file: new File([text], whole.file.name) };
  });
}

function itemsOf(text: string): unknown[] | null {
  if (!text.startsWith('{"items":[')) return null;
  try {
    const { items } = JSON.parse(text) as { items: unknown };
    return Array.isArray(items) ? items : null;
  } catch {
    return null;
  }
}
