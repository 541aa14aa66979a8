import { SetMetadata } from '@nestjs/common';

/** What is known of a request when the state of what it changes is read. */
export interface AuditedRequest {
  params: Readonly<Record<string, string>>;
  /** What the route returned; undefined before the change. */
  result: unknown;
}

/** How the changes of a route are recorded. */
export interface AuditDeclaration<Controller = unknown> {
  /** Reads what the route changes, once before and once after it; a `not_found` error means that it does not exist. */
  state?: (controller: Controller, request: AuditedRequest) => unknown;
  /** Whether the result of the route is recorded as the state after it. It must not hold secrets under unusual names. */
  recordsResult?: boolean;
  /** Whether the body is recorded: it must hold no secrets under unusual names. */
  recordsBody?: boolean;
  /** Whether the entry is made before the route does its work, because the route answers while it works. */
  recordsFirst?: boolean;
  /** Whether it is a login or a logout instead of a change. */
  kind?: 'login' | 'logout';
}

const DECLARATION = Symbol('how changes are recorded');

/** Declares how the changes of a route are recorded in the audit log. Every route that changes something needs it. */
export const Audited = <Controller>(declaration: AuditDeclaration<Controller>) => SetMetadata(DECLARATION, declaration);

/** Declares that a route changes nothing, although its method says so. */
export const ChangesNothing = () => SetMetadata(DECLARATION, 'nothing');

/** Returns how the changes of a route are recorded; null when it changes nothing, undefined when nothing is declared. */
export function auditDeclarationOf(handler: object): AuditDeclaration | null | undefined {
  const declared = Reflect.getMetadata(DECLARATION, handler) as AuditDeclaration | 'nothing' | undefined;
  return declared === 'nothing' ? null : declared;
}
