import { type CallHandler, type ExecutionContext, Injectable, Logger, type NestInterceptor } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { AuditEntry } from '../../../access/audit/audit-entry.js';
import { AuditLog } from '../../../access/audit/audit-log.service.js';
import { resourceNamedIn } from '../../../access/audit/named-resource.js';
import { AuditTrail } from '../../../access/audit/audit-trail.service.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { AccountDisabled, TooManyLogins, WrongPassword } from '../../../access/accounts/accounts.errors.js';
import { BUILT_IN } from '../../../access/accounts/administrator.js';
import { administratorOf } from '../../../access/accounts/admin.guard.js';
import { isSafeMethod } from '../../../access/accounts/same-origin.rules.js';
import { type AuditDeclaration, auditDeclarationOf } from './audited.decorator.js';
import { letRecordParts } from './recorded-parts.js';

const PREFIX = /^\/admin\/api\//i;

/**
 * Records every change of the administration, with the state before and after it. The response is sent when the entry is durable.
 * When entries cannot be written, changes are refused.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Audit');

  constructor(
    private readonly log: AuditLog,
    private readonly trail: AuditTrail,
    private readonly discovery: DiscoveryService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const declaration = auditDeclarationOf(context.getHandler());
    if (!declaration || isSafeMethod(request.method)) return next.handle();
    return from(new RecordedChange(this, declaration, context).make(next));
  }

  /** @throws AuditUnavailable */
  assertWorking(): void {
    this.log.assertWorking();
  }

  /** Makes a change that must be possible on a full disk. */
  evenWhenFull(change: () => Promise<unknown>): Promise<unknown> {
    return this.log.evenWhenFull(change);
  }

  /** Resolves when the entry is durable. @throws AuditUnavailable */
  recordNow(entry: AuditEntry): Promise<void> {
    return this.log.recordNow(entry);
  }

  /** Records that a change was refused or failed. */
  recordFailure(entry: AuditEntry, error: unknown): void {
    const isWrong = error instanceof WrongPassword || error instanceof AccountDisabled;
    if (isWrong || error instanceof TooManyLogins) {
      const { admin: name = null, address = null } = entry;
      return this.trail.loginFailed({ name, address, isThrottled: !isWrong });
    }
    // Unexpected errors may contain anything: their details go only to the log of the service.
    const message = error instanceof AppError ? error.message : 'an unexpected error: see the log of the service';
    this.log.record({ ...entry, outcome: 'error', message });
  }

  controllerOf(context: ExecutionContext): unknown {
    return this.discovery.getControllers().find(({ metatype }) => metatype === context.getClass())?.instance;
  }

  warn(error: unknown): void {
    this.logger.warn(`the state after a change could not be read for the audit log: ${String(error)}`);
  }
}

class RecordedChange {
  private readonly request: Request;
  private readonly startedAt = performance.now();

  constructor(
    private readonly audit: AuditInterceptor,
    private readonly declaration: AuditDeclaration,
    private readonly context: ExecutionContext,
  ) {
    this.request = context.switchToHttp().getRequest<Request>();
  }

  async make(next: CallHandler): Promise<unknown> {
    this.audit.assertWorking();
    const before = await this.state(undefined);
    const entry = this.entry();
    if (this.declaration.recordsFirst) await this.audit.recordNow(entry);
    letRecordParts(this.request, (part) => this.audit.recordNow({ ...entry, at: new Date(), ...part }));
    let result: unknown;
    try {
      const change = () => lastValueFrom(next.handle(), { defaultValue: undefined });
      result = await (this.request.method === 'DELETE' ? this.audit.evenWhenFull(change) : change());
    } catch (error) {
      this.audit.recordFailure({ ...entry, before }, error);
      throw error;
    }
    if (!this.declaration.recordsFirst) await this.recordDone(entry, before, result);
    return result;
  }

  private async recordDone(entry: AuditEntry, before: unknown, result: unknown): Promise<void> {
    const { state, recordsResult, kind } = this.declaration;
    const after = state ? await this.stateAfter(result) : recordsResult ? result : undefined;
    const admin = kind === 'login' ? userOf(result) : entry.admin;
    const durationMs = performance.now() - this.startedAt;
    const resource = recordsResult ? resourceNamedIn(result) : null;
    await this.audit.recordNow({
      ...entry,
      ...(admin !== undefined && { admin }),
      resource,
      before,
      after,
      durationMs,
    });
  }

  private entry(): AuditEntry {
    const { request, declaration } = this;
    const body: unknown = request.body;
    return {
      kind: declaration.kind ?? 'change',
      at: new Date(),
      admin: administratorOf(request)?.user ?? userOf(body) ?? BUILT_IN,
      action: operationIdOf(this.context.getHandler()),
      subject: request.path.replace(PREFIX, ''),
      outcome: declaration.recordsFirst ? 'started' : 'ok',
      address: request.ip ?? null,
      ...(declaration.recordsBody && { arguments: body }),
    };
  }

  private async stateAfter(result: unknown): Promise<unknown> {
    try {
      return await this.state(result);
    } catch (error) {
      this.audit.warn(error);
      return undefined;
    }
  }

  private async state(result: unknown): Promise<unknown> {
    const { state } = this.declaration;
    if (!state) return undefined;
    const params = this.request.params as Record<string, string>;
    try {
      return await state(this.audit.controllerOf(this.context), { params, result });
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return null;
      throw error;
    }
  }
}

/** The metadata key under which `@nestjs/swagger` keeps the data of `@Operation`. */
const OPERATION = 'swagger/apiOperation';

function operationIdOf(handler: object): string {
  const operation = Reflect.getMetadata(OPERATION, handler) as { operationId?: string } | undefined;
  return operation?.operationId ?? 'unknown';
}

/** Returns the user name in the body or the result of a login; undefined when there is none. */
function userOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return 'user' in value && typeof value.user === 'string' ? value.user : undefined;
}
