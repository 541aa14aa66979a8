import { doJobs } from '../../platform/threads/thread-jobs.js';
import { readDocument } from './reading/reading.rules.js';
import { readOpml } from './subscribing/opml.rules.js';

const JOBS = { readDocument, readOpml };

export type FeedJobs = typeof JOBS;

doJobs(JOBS);
