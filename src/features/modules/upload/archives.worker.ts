import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { readArchive } from './module-archive.js';

const JOBS = { readArchive };

export type ArchiveJobs = typeof JOBS;

doJobs(JOBS);
