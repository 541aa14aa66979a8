import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { indexedDocumentOf } from './passages.rules.js';

const JOBS = { indexedDocumentOf };

export type PassageJobs = typeof JOBS;

doJobs(JOBS);
