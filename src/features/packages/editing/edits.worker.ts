import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { checkWritten, judgeDraft, packVersion } from './written-package.rules.js';

const JOBS = { judgeDraft, checkWritten, packVersion };

export type EditJobs = typeof JOBS;

doJobs(JOBS);
