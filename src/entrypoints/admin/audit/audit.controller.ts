import { Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiProduces } from '@nestjs/swagger';
import { AuditChain } from '../../../access/audit/audit-chain.service.js';
import { AuditReader } from '../../../access/audit/audit-reader.service.js';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Operation, Returns } from '../api/admin-controller.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { streamedFile } from '../api/streamed-file.js';
import {
  AuditBatchView,
  AuditExportQuery,
  AuditItemView,
  AuditQuery,
  AuditSeqParams,
  AuditVerifyQuery,
  VerificationView,
} from './audit.schema.js';

/** Entries verified per request. */
const VERIFIED_AT_ONCE = 20_000;

@AdminController('audit')
export class AuditController {
  constructor(
    private readonly reader: AuditReader,
    private readonly chain: AuditChain,
  ) {}

  @Get()
  @Operation(
    'listAudit',
    'Lists the entries of the audit log, newest first',
    'The search for a page is limited in time: with filters that match few entries, a page may have fewer entries than `limit`, or none; continue with `nextCursor`.',
  )
  @Returns(PageOf(AuditItemView))
  list(@Query() { actor, tool, ...query }: AuditQuery): Promise<Page<AuditItemView>> {
    return this.reader.listPage({ ...query, admin: actor, subject: tool });
  }

  @Get('export')
  @Operation('exportAudit', 'Exports the entries of the audit log as lines of JSON, the newest first')
  @ApiProduces('application/jsonl')
  @Returns(String, 'An entry in each line.')
  export(@Query() { actor, tool, ...filter }: AuditExportQuery): Promise<StreamableFile> {
    const lines = this.reader.exportLines({ ...filter, admin: actor, subject: tool });
    return streamedFile(lines, { type: 'application/jsonl', disposition: 'attachment; filename="audit.jsonl"' });
  }

  @Get('verify')
  @Operation(
    'verifyAudit',
    'Checks that no entry of the audit log was changed or removed',
    'Checks about 20,000 entries per request: continue with `after`, the number of the last entry, until `isComplete`.',
  )
  @Returns(VerificationView)
  verify(@Query() { after }: AuditVerifyQuery): Promise<VerificationView> {
    return this.chain.verify({ after, most: VERIFIED_AT_ONCE });
  }

  @Get(':seq')
  @Operation('getAuditEntry', 'Returns one entry of the audit log')
  @Returns(AuditItemView)
  get(@Param() { seq }: AuditSeqParams): Promise<AuditItemView> {
    return this.reader.get(seq);
  }

  @Get(':seq/batch')
  @Operation(
    'getAuditBatch',
    'Returns the batch that an entry was written in, and its hash',
    'With it, you can verify an entry of an export: it is the line `seq - firstSeq` of `text`, counted from 0.',
  )
  @Returns(AuditBatchView)
  getBatch(@Param() { seq }: AuditSeqParams): Promise<AuditBatchView> {
    return this.reader.getBatch(seq);
  }
}
