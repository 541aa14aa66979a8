import { IntersectionType } from '@nestjs/swagger';
import { AUDIT_KINDS, type AuditBatch, type AuditItem, type AuditKind } from '../../../access/audit/audit-entry.js';
import type { Verification } from '../../../access/audit/audit-chain.service.js';
import type { BrokenLink } from '../../../access/audit/audit-check.rules.js';
import { Amount, Flag, Integer, OneOf, Part, Text, Texts, Time, Value } from '../api/fields.decorators.js';
import { PageQuery } from '../api/page.schema.js';

const ANY = {
  oneOf: [
    { type: 'object' as const, additionalProperties: true },
    { type: 'array' as const, items: {} },
  ],
};
const LATEST = 2 ** 53 - 1;

export class AuditExportQuery {
  @OneOf(AUDIT_KINDS, { optional: true }) kind?: AuditKind;
  @Text({ max: 200, optional: true, says: 'Name of a client.' }) client?: string;
  @Text({ max: 200, optional: true, says: 'Name of an administrator.' }) actor?: string;

  @Text({ max: 2048, optional: true, says: 'Subject: name of a tool or prompt, a URI, or the path of a change.' })
  tool?: string;

  @Text({ max: 100, optional: true, example: 'denied' }) outcome?: string;
  @Time({ fromText: true, optional: true, says: 'Only entries of this time or later.' }) from?: Date;
  @Time({ fromText: true, optional: true, says: 'Only entries before this time.' }) to?: Date;

  @Text({
    max: 200,
    optional: true,
    says: 'A text that the subject, a name, the message, the arguments or the states contain.',
  })
  q?: string;
}

export class AuditQuery extends IntersectionType(AuditExportQuery, PageQuery) {}

export class AuditSeqParams {
  @Integer({ min: 1, max: LATEST, fromText: true, says: 'Position in the chain.' }) seq!: number;
}

export class AuditVerifyQuery {
  @Integer({
    min: 0,
    max: LATEST,
    fromText: true,
    optional: true,
    default: 0,
    says: 'Last entry that is already verified.',
  })
  after = 0;
}

class ChainLinkView {
  @Integer() seq!: number;
  @Text() hash!: string;
}

export class AuditItemView implements AuditItem {
  @Integer({ says: 'Position in the chain, from 1, without gaps.' }) seq!: number;
  @Integer({ doc: { enum: [1] }, says: 'Version of the format of the entry.' }) v!: 1;
  @Text({ format: 'date-time' }) at!: string;
  @OneOf(AUDIT_KINDS) kind!: AuditKind;
  @Text({ optional: true, says: 'Client that made the call.' }) client?: string;
  @Texts({ optional: true }) groups?: readonly string[];

  @Text({ optional: true, says: 'Administrator that made the change, or the user name of a login attempt.' })
  admin?: string;

  @Text({ example: 'callTool' }) action!: string;
  @Text({ optional: true, says: 'Tool, prompt, URI or path that the entry is about.' }) subject?: string;
  @OneOf(['allow', 'deny'], { optional: true }) decision?: 'allow' | 'deny';
  @Texts({ optional: true, says: 'Names of the policies that made the decision.' }) policies?: readonly string[];
  @Text({
    optional: true,
    says: 'Who confirmed the call, when a policy required that: `person:` and the account, or the client.',
  })
  approvedBy?: string;
  @Text({ example: 'ok' }) outcome!: string;
  @Text({ optional: true, says: 'URI, id or name of what was created or changed.' }) resource?: string;
  @Text({ optional: true }) message?: string;
  @Amount({ optional: true }) durationMs?: number;

  @Value(ANY, { optional: true, says: 'Arguments without secrets; long values are cut.' })
  arguments?: unknown;

  @Flag({ optional: true, says: 'Whether parts of the arguments are missing.' }) argumentsCut?: true;
  @Text({ optional: true, says: 'Id of the workflow run that made the call.' }) run?: string;
  @Text({ optional: true }) workflow?: string;
  @Text({ optional: true }) session?: string;
  @Text({ optional: true, says: 'Name that the program reports.' }) program?: string;
  @Text({ optional: true }) programVersion?: string;
  @Text({ optional: true, says: 'Version of the MCP protocol.' }) protocol?: string;
  @Text({ optional: true, says: 'The visible part of the key.' }) key?: string;
  @Text({ optional: true }) address?: string;
  @Text({ optional: true }) traceId?: string;
  @Integer({ optional: true, says: 'Number of events that the entry stands for.' }) count?: number;

  @Part(ChainLinkView, { optional: true, says: 'The last one of the old entries that were deleted.' })
  deletedTo?: ChainLinkView;

  @Value(ANY, { optional: true, nullable: true, says: 'The state before a change; null: there was none.' })
  before?: unknown;

  @Value(ANY, { optional: true, nullable: true, says: 'The state after a change; null: there is none.' })
  after?: unknown;

  @Text({ says: 'Hash of the batch that the entry was written in: see `batch`.' }) hash!: string;
}

export class AuditBatchView implements AuditBatch {
  @Integer({ says: 'First entry of the batch: the first line of `text`.' }) firstSeq!: number;
  @Integer() lastSeq!: number;
  @Text({ says: 'Hash of the batch before; 64 zeros before the first one.' }) previousHash!: string;
  @Text({ says: 'SHA-256, in hexadecimal, of `previousHash`, a line break, and `text`, in UTF-8.' }) hash!: string;
  @Text({ says: 'The entries as they were written: one JSON in each line.' }) text!: string;
}

class BrokenLinkView implements BrokenLink {
  @Integer({ says: 'The entry, or the first one of its batch.' }) seq!: number;
  @Text() problem!: string;
}

export class VerificationView implements Verification {
  @Integer({ says: 'Number of entries that were checked.' }) checked!: number;
  @Part(ChainLinkView, { says: 'The last entry that was checked and is intact.' }) last!: ChainLinkView;
  @Flag({ says: 'Whether the chain was checked to its end, or to its first broken link.' }) isComplete!: boolean;

  @Part(BrokenLinkView, { nullable: true, says: 'The first broken link; null when there is none.' })
  broken!: BrokenLinkView | null;
}
