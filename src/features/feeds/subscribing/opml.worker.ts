import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { readOpml } from './opml.rules.js';

const JOBS = { readOpml };

export type OpmlJobs = typeof JOBS;

doJobs(JOBS);
