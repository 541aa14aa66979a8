import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { AuditEntry } from '../../../access/audit/audit-entry.js';

/** One of several changes that a request makes. */
type PartOfChange = Required<Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>>;

/** Records one part in the audit log, and resolves when the entry is durable. @throws AuditUnavailable */
export type RecordPart = (part: PartOfChange) => Promise<void>;

const recorders = new WeakMap<Request, RecordPart>();

/** Lets the route of a request record each of several changes separately. */
export const letRecordParts = (request: Request, record: RecordPart) => void recorders.set(request, record);

/** Injects the recorder of the parts of a change into `@Audited` routes. */
export const RecordsParts = createParamDecorator((_data: unknown, context: ExecutionContext): RecordPart => {
  const record = recorders.get(context.switchToHttp().getRequest<Request>());
  if (!record) throw new Error(`${context.getHandler().name} is not audited, so its parts cannot be recorded`);
  return record;
});
