import { AuditAppendStore } from '../../access/audit/audit-append.store.js';
import { AuditBatchStore } from '../../access/audit/audit-batch.store.js';
import { AuditChain } from '../../access/audit/audit-chain.service.js';
import { AuditTexts } from '../../access/audit/audit-texts.service.js';
import type { Database } from '../../platform/database/database.js';
import { runOnDatabase } from './command.js';
import { countOf } from '../../platform/text/count-of.js';

const LINE = { usage: 'npm run audit:verify', operands: [], options: {} };

async function verify(database: Database): Promise<string> {
  const texts = new AuditTexts();
  try {
    const chain = new AuditChain(new AuditAppendStore(database), new AuditBatchStore(database), texts);
    const { checked, last, broken } = await chain.verify();
    if (!broken)
      return `The audit log is intact: ${countOf(checked, 'entry', 'entries')}, the last one ${last.seq} with the hash ${last.hash}`;
    process.exitCode = 1;
    return `The audit log is broken at entry ${broken.seq}: ${broken.problem}. Entries before it that are right: ${checked}.`;
  } finally {
    await texts.beforeApplicationShutdown();
  }
}

await runOnDatabase(LINE, verify, { mustExist: true });
