import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { bytesToDocuments } from './file-content.rules.js';
import { toDocument } from './imported-file.rules.js';
import { partsOf } from './parts.rules.js';
import type { ImportedFile } from './plain-file.rules.js';

const JOBS = {
  toDocuments: (file: ImportedFile) => partsOf(toDocument(file)),
  bytesToDocuments,
};

export type ImportJobs = typeof JOBS;

doJobs(JOBS);
