import { doJobs } from '../threads/thread-jobs.js';
import { findSection } from './sections.rules.js';

const JOBS = { findSection };

export type MarkdownJobs = typeof JOBS;

doJobs(JOBS);
