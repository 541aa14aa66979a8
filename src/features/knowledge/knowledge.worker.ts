import { doJobs } from '../../platform/threads/thread-jobs.js';
import { bytesToDocuments } from './import/file-content.rules.js';
import { toDocument } from './import/imported-file.rules.js';
import { indexedDocumentOf } from './passages/passages.rules.js';

const JOBS = { toDocument, bytesToDocuments, indexedDocumentOf };

export type KnowledgeJobs = typeof JOBS;

doJobs(JOBS);
