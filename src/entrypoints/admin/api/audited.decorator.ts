import { SetMetadata } from '@nestjs/common';

/** The data of a request that is available for reading the changed state. */
export interface AuditedRequest {
  params: Readonly<Record<string, string>>;
  /** The result of the route; undefined before the change. */
  result: unknown;
}

/** How the changes of a route are recorded. */
export interface AuditDeclaration<Controller = unknown> {
  /** Reads the state that the route changes, once before and once after; a `not_found` error means that it does not exist. */
  state?: (controller: Controller, request: AuditedRequest) => unknown;
  /** True when the result of the route is recorded as the state after it. It must not have secrets under unusual names. */
  recordsResult?: boolean;
  /** True when the body is recorded. It must not have secrets under unusual names. */
  recordsBody?: boolean;
  /** True when the entry is written before the route runs, because the route responds while it works. */
  recordsFirst?: boolean;
  kind?: 'login' | 'logout';
}

const DECLARATION = Symbol('how changes are recorded');

/** Declares how the changes of a route are recorded in the audit log. Every route that changes something needs it. */
export const Audited = <Controller>(declaration: AuditDeclaration<Controller>) => SetMetadata(DECLARATION, declaration);

/** Declares that a route changes what the `get` of its controller returns for these parameters of the path. */
export const AuditsState = (...parameters: string[]) =>
  Audited<{ get: (...values: string[]) => unknown }>({
    state: (controller, { params }) => controller.get(...parameters.map((name) => params[name] ?? '')),
  });

/** Declares that a route changes nothing, despite its method. */
export const ChangesNothing = () => SetMetadata(DECLARATION, 'nothing');

/** Returns the audit declaration of a route; null when it changes nothing, undefined when it has none. */
export function auditDeclarationOf(handler: object): AuditDeclaration | null | undefined {
  const declared = Reflect.getMetadata(DECLARATION, handler) as AuditDeclaration | 'nothing' | undefined;
  return declared === 'nothing' ? null : declared;
}
