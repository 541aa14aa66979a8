import { doJobs } from '../threads/thread-jobs.js';
import { binaryToDocument } from './import/binary-file.rules.js';
import { toDocument } from './import/imported-file.rules.js';
import { indexedDocumentOf } from './passages/passages.rules.js';

const JOBS = { toDocument, binaryToDocument, indexedDocumentOf };

export type KnowledgeJobs = typeof JOBS;

doJobs(JOBS);
