import { inspectWorkflow } from '#open-workflow';
import { doJobs } from '../../../platform/threads/thread-jobs.js';

const JOBS = { inspectWorkflow };

export type DefinitionJobs = typeof JOBS;

doJobs(JOBS);
