import { doJobs } from '../threads/thread-jobs.js';
import { toDocument } from './import/imported-file.rules.js';
import { indexedPassagesOf } from './passages/passages.rules.js';

const JOBS = { toDocument, indexedPassagesOf };

export type KnowledgeJobs = typeof JOBS;

doJobs(JOBS);
