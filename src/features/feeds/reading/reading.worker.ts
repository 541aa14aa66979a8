import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { readDocument } from './reading.rules.js';

const JOBS = { readDocument };

export type ReadingJobs = typeof JOBS;

doJobs(JOBS);
