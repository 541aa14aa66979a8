import { doJobs } from '../../../platform/threads/thread-jobs.js';
import { checkUpload } from './package-upload.rules.js';

const JOBS = { checkUpload };

export type UploadJobs = typeof JOBS;

doJobs(JOBS);
