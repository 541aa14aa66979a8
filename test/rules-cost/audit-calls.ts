import * as record from '../../src/access/audit/audit-record.rules.js';
import { BEGINNING } from '../../src/access/audit/audit-record.rules.js';
import * as redaction from '../../src/access/audit/redaction.rules.js';
import * as secretNames from '../../src/access/audit/secret-names.rules.js';
import { auditEntry } from '../../src/access/audit/testing.js';
import { type Entry, NOT_TEXT, OURS } from './entry.js';

export const AUDIT_RULES: Record<string, Record<string, Entry>> = {
  'src/access/audit/audit-record.rules.ts': {
    toRecord: [
      (text) => record.toRecord(auditEntry({ subject: text, message: text, admin: text, action: text, outcome: text })),
      (text) => record.toRecord(auditEntry({ arguments: { text, [text]: text }, before: [text], after: { a: text } })),
      (text) => record.toRecord(auditEntry({ client: { name: text, groups: [text, text] }, address: text })),
    ],
    numbered: OURS,
    linkHash: (text) => record.linkHash(BEGINNING.hash, text),
    parsedRecord: OURS,
    columnsOfRecord: OURS,
    indexed: (text) => record.indexed(text),
  },
  'src/access/audit/call-count.rules.ts': {
    countsOf: NOT_TEXT,
    countKey: NOT_TEXT,
    addCounts: NOT_TEXT,
    beginningOf: NOT_TEXT,
  },
  'src/access/audit/latency.rules.ts': { latencyClass: NOT_TEXT, addLatency: NOT_TEXT, percentileMs: NOT_TEXT },
  'src/access/audit/redaction.rules.ts': {
    keptOf: [
      (text) => redaction.keptOf(text, null, redaction.STATE),
      (text) => redaction.keptOf([text, { [text]: text }], null, redaction.ARGUMENTS),
    ],
    keptText: [(text) => redaction.keptText(text, 1_000), (text) => redaction.keptText(text, 16_000)],
  },
  'src/access/audit/secret-names.rules.ts': { isSecretName: (text) => secretNames.isSecretName(text) },
};
