import { Injectable } from '@nestjs/common';
import { GuardedThread, ThreadOwner } from '../../platform/threads/guarded-thread.js';
import type { AuditJobs } from './audit-batches.worker.js';
import type { Checked, CheckJob } from './audit-check.rules.js';
import type { SearchJob, SearchResult } from './audit-search.rules.js';

const AUDIT_BATCHES = { name: 'audit-batches', entry: 'access/audit/audit-batches.worker', heapMegabytes: 256 };

/** Reads the texts of batches, in a separate thread: one page may scan thousands of entries. */
@Injectable()
export class AuditTexts extends ThreadOwner {
  protected readonly thread = new GuardedThread<AuditJobs>(AUDIT_BATCHES);

  /** Returns the newest matching entries of batches. @throws JobAborted, ThreadStopped */
  search(job: SearchJob): Promise<SearchResult> {
    return this.thread.run('searchBatches', job, { transfer: [job.bodies.bytes.buffer] });
  }

  /** Checks batches up to the first invalid one. @throws JobAborted, ThreadStopped */
  check(job: CheckJob): Promise<Checked> {
    return this.thread.run('checkBatches', job, { transfer: [job.bodies.bytes.buffer] });
  }

  /** Returns the text of a batch; null when it cannot be read. @throws JobAborted, ThreadStopped */
  read(body: Uint8Array): Promise<string | null> {
    return this.thread.run('textOf', body);
  }
}
