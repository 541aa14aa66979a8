/** What a module may use beside plain JavaScript, shown to an administrator before it is offered. */
export interface ModuleUses {
  /** Hosts that `context.fetch` may ask, such as `api.example.com` or `*.example.com`. */
  hosts?: string[];
  /** Skills that `context.callSkill` may call, in the name of the caller. */
  skills?: string[];
  /** Secrets (Workflows > Secrets) that `context.secret` names. */
  secrets?: string[];
  /** Secrets that are URLs of PostgreSQL databases, from which `context.query` may read. */
  databases?: string[];
  /** Whether it keeps a value between calls. */
  state?: boolean;
  /** What an administrator can set, by name; `context.settings` has the values. The same in all skills of a module that declare it. */
  settings?: Record<string, ModuleSetting>;
}

/** A setting, as JSON Schema says it. Without a default, it has no value until an administrator gives it one. */
export type ModuleSetting = { description?: string } & (
  | { type: 'string'; enum?: string[]; default?: string }
  | { type: 'integer' | 'number'; minimum?: number; maximum?: number; default?: number }
  | { type: 'boolean'; default?: boolean }
);

/** Values of settings, by name. */
type Settings = Record<string, string | number | boolean | undefined>;

/** A skill of a module. */
export interface ModuleSkill<Input = Record<string, unknown>, Set = Settings> {
  /** Unique in the service; letters, digits, `_` and `-`, 64 at most. */
  name: string;
  title?: string;
  /** The first sentence says when to use the skill. At most 2 KB. */
  description: string;
  /** JSON Schema of type object. Absent: no arguments. */
  input?: Record<string, unknown>;
  /** JSON Schema of type object, for results that are objects. */
  output?: Record<string, unknown>;
  /** Hints of MCP: readOnlyHint, destructiveHint, idempotentHint, openWorldHint. */
  annotations?: Record<string, boolean>;
  /** Words by which policies can refer to several skills. */
  tags?: string[];
  uses?: ModuleUses;
  execute(input: Input, context: ModuleContext<Set>): unknown;
}

/** What a skill of a module knows about the call that it serves, and what it can have done. */
export interface ModuleContext<Set = Settings> {
  /** Fires when the call times out, is cancelled, or its caller goes away. A call that goes on then ends with its thread. */
  readonly signal: AbortSignal;
  readonly caller: { readonly name: string; readonly groups: readonly string[] };
  /** What the person has answered to `ask(...)`, by key; null = declined. Empty in the first round. */
  readonly answers: Readonly<Record<string, Record<string, unknown> | null>>;
  /** Values of `uses.settings`, as they were when the call began. */
  readonly settings: Readonly<Set>;
  /** Sends a request through the service, to the hosts in `uses.hosts`. As the `fetch` of browsers; a body is read at once. */
  fetch(url: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Reads from a database of `uses.databases`: one SELECT, VALUES, TABLE or WITH, in a transaction that cannot write. At most
   * 1,000 rows, and no more once they have a megabyte.
   * @param parameters values of `$1` and so on
   */
  query(database: string, sql: string, parameters?: (string | number | boolean | null)[]): Promise<FoundRows>;
  /** Calls a skill that `uses.skills` names. @returns its structured result, or its text */
  callSkill(name: string, input?: Record<string, unknown>): Promise<unknown>;
  /** Stands for a secret of `uses.secrets` in the URL, headers and text body of `fetch`; the service fills it in. */
  secret(name: string): string;
  /** The present time; a test of the module can set it. */
  now(): Date;
  /** Tells the caller how far the work is. */
  progress(progress: number, total?: number, message?: string): void;
  /** A small value (64 KB of JSON) that the module keeps, of all its callers. Needs `uses.state`. */
  readonly state: { get(): Promise<unknown>; set(value: unknown): Promise<void> };
}

/** What a statement has found. */
export interface FoundRows {
  columns: string[];
  /** Values in the order of the columns: numbers, booleans, JSON and null as such, everything else as PostgreSQL writes it. */
  rows: unknown[][];
  /** Whether there are more rows than these. */
  isCut: boolean;
}

/** A question to the person: a flat JSON Schema of what to fill in. */
export interface Question {
  message: string;
  schema: Record<string, unknown>;
}

const ASKED = Symbol.for('agent-service.ask');

/** Declares a skill; there for its types. */
export const skill = <Input = Record<string, unknown>, Set = Settings>(
  declared: ModuleSkill<Input, Set>,
): ModuleSkill<Input, Set> => declared;

/** Returned by `execute` to ask the person: it is called again, with `context.answers`. */
export const ask = (questions: Record<string, Question>): object => ({ [ASKED]: questions });

export const text = (value: string): object => ({ type: 'text', text: value });

/** @param data base64 */
export const image = (data: string, mimeType: string): object => ({ type: 'image', data, mimeType });

/** A result of several contents. */
export const result = (...content: object[]): object => ({ content });

/** A failed result: the message tells the assistant what was wrong, and what to do next. */
export const failure = (message: string): object => ({ content: [text(message)], isError: true });

/** Returns the questions of an output of `ask`; undefined for any other output. */
export function questionsIn(output: unknown): Record<string, Question> | undefined {
  return typeof output === 'object' && output !== null && ASKED in output
    ? (output[ASKED] as Record<string, Question>)
    : undefined;
}
