import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { formatPolicy, parsePolicy, validatePolicy } from './cedar-reader.js';

const JOBS = { parsePolicy, validatePolicy, formatPolicy };

export type PolicyJobs = typeof JOBS;

doJobs(JOBS);
