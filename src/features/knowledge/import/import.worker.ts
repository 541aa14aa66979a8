import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { bytesToDocuments } from './file-content.rules.js';
import { toDocument } from './imported-file.rules.js';

const JOBS = { toDocument, bytesToDocuments };

export type ImportJobs = typeof JOBS;

doJobs(JOBS);
