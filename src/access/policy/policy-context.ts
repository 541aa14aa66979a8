import { type CedarRecord, jsonRecord, recordOf, type Value } from '#cedar';
import { type CallOrigin, UNKNOWN_ORIGIN } from '#skill-kit';
import type { ToolSubject } from './policy-request.js';

/** The days of the week as policies name them. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** The local time in the configured time zone. */
export interface WallClock {
  /** 0 to 23. */
  hour: number;
  weekday: (typeof WEEKDAYS)[number];
}

/** The attributes of the context that are the same for all calls of one program of a client. */
const OF_THE_CALLER = [
  ...(['program', 'programProven', 'programVersion', 'protocolVersion'] as const),
  ...(['era', 'fromWorkflow', 'workflow'] as const),
] as const;
/** The attributes that are known when only the caller and the resource of a request are. */
const KNOWN_OF_CALLER: ReadonlySet<string> = new Set([
  ...OF_THE_CALLER.map((name) => `context.${name}`),
  ...['*', 'name', 'kind', 'tags', 'readOnly', 'destructive', 'idempotent', 'openWorld', 'uri', 'store'].map(
    (name) => `resource.${name}`,
  ),
]);
const KNOWN_IN_LISTS: ReadonlySet<string> = new Set([...KNOWN_OF_CALLER, 'context.hour', 'context.weekday']);

export const isOfTheCaller = (read: string): boolean => KNOWN_OF_CALLER.has(read);

/** Returns whether an attribute is known before the arguments of a call are. */
export const isKnownInLists = (read: string): boolean => KNOWN_IN_LISTS.has(read);

/** Returns whether an attribute is known for a template, which represents many resources of its store. */
export const isKnownOfTemplates = (read: string): boolean =>
  KNOWN_IN_LISTS.has(read) && !['resource.uri', 'resource.tags', 'resource.*'].includes(read);

/** Returns the attributes of the context that identify the caller. Unknown strings are empty. */
export function callerAttributes(origin: CallOrigin = UNKNOWN_ORIGIN): Record<(typeof OF_THE_CALLER)[number], Value> {
  const { program, programProven, programVersion, protocolVersion, run } = origin;
  return {
    program: program ?? '',
    programProven,
    programVersion: programVersion ?? '',
    protocolVersion: protocolVersion ?? '',
    era: protocolVersion === null ? '' : protocolVersion < '2026' ? '2025' : '2026',
    // The run of a long skill is the call itself, not a call from a workflow.
    fromWorkflow: run !== null && run.workflow !== '',
    workflow: run?.workflow ?? '',
  };
}

export interface CallArguments {
  tool: ToolSubject;
  arguments: object;
}

/** Returns the context of a request. Arguments are converted when a policy reads them. */
export function contextOf(
  caller: Readonly<Record<string, Value>>,
  clock: WallClock,
  call: CallArguments | null,
): CedarRecord {
  const args = call && jsonRecord(call.arguments, call.tool.inputSchema);
  const valueOf = (name: string): Value | undefined => {
    if (name === 'args') return args ?? undefined;
    if (name === 'hour') return clock.hour;
    if (name === 'weekday') return clock.weekday;
    return Object.hasOwn(caller, name) ? caller[name] : undefined;
  };
  return {
    has: (name) => valueOf(name) !== undefined,
    get: valueOf,
    names: () => [...OF_THE_CALLER, 'hour', 'weekday', ...(args ? ['args'] : [])],
  };
}

/** A context with only the caller known. */
export const callerContext = (caller: Readonly<Record<string, Value>>): CedarRecord => recordOf(Object.entries(caller));
