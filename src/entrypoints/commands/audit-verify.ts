import { AuditAppendStore } from '../../access/audit/audit-append.store.js';
import { AuditChain } from '../../access/audit/audit-chain.service.js';
import { AuditQueryStore } from '../../access/audit/audit-query.store.js';
import { runOnDatabase } from './command.js';

await runOnDatabase({ usage: 'npm run audit:verify', operands: [], options: {} }, async (database) => {
  const chain = new AuditChain(new AuditAppendStore(database), new AuditQueryStore(database));
  const { checked, last, broken } = await chain.verify();
  if (!broken) return `The audit log is whole: ${checked} entries, the last one ${last.seq} with the hash ${last.hash}`;
  process.exitCode = 1;
  return `The audit log is broken at entry ${broken.seq}: ${broken.problem}. The ${checked} entries before it are right.`;
});
