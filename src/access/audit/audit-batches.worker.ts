import { doJobs } from '../../platform/threads/thread-jobs.js';
import { textOf } from './audit-body.rules.js';
import { checkBatches } from './audit-check.rules.js';
import { searchBatches } from './audit-search.rules.js';

const JOBS = { checkBatches, searchBatches, textOf };

export type AuditJobs = typeof JOBS;

doJobs(JOBS);
