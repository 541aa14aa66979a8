import { zstdCompressSync } from 'node:zlib';
import * as batch from '../../src/access/audit/audit-batch.rules.js';
import { joinBodies } from '../../src/access/audit/audit-bodies.js';
import * as body from '../../src/access/audit/audit-body.rules.js';
import * as check from '../../src/access/audit/audit-check.rules.js';
import * as usedPackage from '../../src/access/audit/used-package.rules.js';
import type { AuditRecord } from '../../src/access/audit/audit-entry.js';
import * as record from '../../src/access/audit/audit-record.rules.js';
import * as search from '../../src/access/audit/audit-search.rules.js';
import * as redaction from '../../src/access/audit/redaction.rules.js';
import * as secretNames from '../../src/access/audit/secret-names.rules.js';
import { auditEntry } from '../../src/access/audit/testing.js';
import { type Entry, NOT_TEXT, OURS } from './entry.js';

const recordOf = (text: string): AuditRecord => ({
  v: 1,
  at: new Date(0).toISOString(),
  kind: 'call',
  action: 'callTool',
  subject: text,
  message: text,
  outcome: 'ok',
  arguments: [text],
});
const jsonOf = (text: string): string => JSON.stringify(recordOf(text));
const prepared = (text: string) => ({ json: text, facts: record.factsOf(recordOf(text)) });
const searchJob = (text: string, filter: search.AuditFilter): search.SearchJob => ({
  bodies: joinBodies([zstdCompressSync(jsonOf(text))]),
  firstSeqs: [1],
  filter,
  before: null,
  limit: 10,
});

export const AUDIT_RULES: Record<string, Record<string, Entry>> = {
  'src/access/audit/audit-record.rules.ts': {
    toRecord: [
      (text) => record.toRecord(auditEntry({ subject: text, message: text, admin: text, action: text, outcome: text })),
      (text) => record.toRecord(auditEntry({ arguments: { text, [text]: text }, before: [text], after: { a: text } })),
      (text) => record.toRecord(auditEntry({ client: { name: text, groups: [text, text] }, address: text })),
    ],
    parsedRecord: OURS,
    factsOf: OURS,
    searchTextOf: [(text) => record.searchTextOf(recordOf(text))],
    compared: (text) => record.compared(text),
  },
  'src/access/audit/audit-batch.rules.ts': {
    batchesOf: (text) => batch.batchesOf([prepared(text), prepared(text)]),
    spanOf: NOT_TEXT,
    countsOfTerms: OURS,
    termsOf: (text) => batch.termsOf({ kind: text, client: text, admin: text, subject: text, outcome: text }),
    linkHash: (text) => batch.linkHash(batch.BEGINNING.hash, text),
  },
  'src/access/audit/audit-body.rules.ts': {
    toBody: (text) => body.toBody(text),
    textOf: (text) => body.textOf(zstdCompressSync(text)),
  },
  'src/access/audit/audit-search.rules.ts': {
    searchBatches: [
      (text) => search.searchBatches(searchJob(`x${text}`, { q: text })),
      (text) => search.searchBatches(searchJob(text, { q: text.slice(0, 200), subject: text })),
    ],
    newest: NOT_TEXT,
    isListedBefore: NOT_TEXT,
  },
  'src/access/audit/audit-check.rules.ts': {
    checkBatches: (text) =>
      check.checkBatches({
        after: batch.BEGINNING,
        batches: [
          {
            firstSeq: 1,
            lastSeq: 1,
            fromMs: 0,
            toMs: 0,
            hash: batch.linkHash(batch.BEGINNING.hash, jsonOf(text)),
            deletedTo: null,
          },
        ],
        bodies: joinBodies([zstdCompressSync(jsonOf(text))]),
        terms: [],
      }),
  },
  'src/access/audit/call-count.rules.ts': {
    countsOf: NOT_TEXT,
    countKey: NOT_TEXT,
    addCounts: NOT_TEXT,
    beginningOf: NOT_TEXT,
  },
  'src/access/audit/used-package.rules.ts': {
    packageUsedBy: (text) =>
      usedPackage.packageUsedBy({ kind: 'read', at: new Date(0), action: '', subject: text, outcome: 'ok' }),
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
