import { doJobs } from '../threads/thread-jobs.js';
import { readDocument } from './feed-reading.rules.js';
import { readOpml } from './opml.rules.js';

const JOBS = { readDocument, readOpml };

export type FeedJobs = typeof JOBS;

doJobs(JOBS);
