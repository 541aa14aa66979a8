import { Injectable } from '@nestjs/common';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import type { PolicyJobs } from './policies.worker.js';

/** The thread that reads policies: a text that is too complex crashes the parser, and only the thread with it. */
const POLICY_READER = {
  name: 'policy-reader',
  entry: 'entrypoints/admin/policies/policies.worker',
  heapMegabytes: 192,
};

/** Reads policies in a separate thread. */
@Injectable()
export class PolicyReader extends ThreadOwner {
  protected readonly thread = new GuardedThread<PolicyJobs>(POLICY_READER);

  /** @throws JobAborted when the text is too complex, ThreadStopped */
  parse(policy: string): Promise<ReturnType<PolicyJobs['parsePolicy']>> {
    return this.thread.run('parsePolicy', policy);
  }

  /** @throws JobAborted when the text is too complex, ThreadStopped */
  validate(policy: string, schema: object): Promise<ReturnType<PolicyJobs['validatePolicy']>> {
    return this.thread.run('validatePolicy', { policy, schema });
  }

  /** @throws JobAborted when the text is too complex, ThreadStopped */
  format(policy: string): Promise<string | null> {
    return this.thread.run('formatPolicy', policy);
  }
}
