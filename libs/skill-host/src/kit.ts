import { ASKED, BLOCK } from './module-output.js';

/** What a module may use besides plain JavaScript. An administrator sees it before the module is offered. */
export interface ModuleUses {
  /** Hosts that `context.fetch` may access, such as `api.example.com` or `*.example.com`. */
  hosts?: string[];
  /** Skills that `context.callSkill` may call on behalf of the caller. */
  skills?: string[];
  /** Secrets (page Secrets) that `context.secret` names. */
  secrets?: string[];
  /** Secrets that contain URLs of PostgreSQL databases, which `context.query` may read. */
  databases?: string[];
  /** True when it keeps a value between calls. */
  state?: boolean;
  /**
   * Settings for administrators, by name; `context.settings` has the values. Must be the same in all skills of a module that
   * declare it.
   */
  settings?: Record<string, ModuleSetting>;
}

/** A setting, in the terms of JSON Schema. Without a default, it has no value until an administrator sets one. */
export type ModuleSetting = { description?: string } & (
  | { type: 'string'; enum?: string[]; default?: string }
  | { type: 'integer' | 'number'; minimum?: number; maximum?: number; default?: number }
  | { type: 'boolean'; default?: boolean }
);

/** Values of settings, by name. */
type Settings = Record<string, string | number | boolean | undefined>;

/** A JSON Schema of an object. */
export interface ObjectSchema {
  type: 'object';
  properties?: Record<string, object>;
  required?: readonly string[];
  [keyword: string]: unknown;
}

/** A skill of a module. It needs a schema of its `input` if `execute` reads arguments of a type of their own. */
export type ModuleSkill<Input = Record<string, unknown>, Set = Settings> = DeclaredSkill<Input, Set> &
  (string extends keyof Input ? { input?: ObjectSchema } : { input: ObjectSchema });

interface DeclaredSkill<Input, Set> {
  /** Unique in the service; letters, digits, `_` and `-`, 64 at most. */
  name: string;
  title?: string;
  /** The first sentence says when to use the skill. At most 2 KB. */
  description: string;
  /** JSON Schema of the arguments. Absent = no arguments. */
  input?: ObjectSchema;
  /** JSON Schema of results that are objects. */
  output?: ObjectSchema;
  /** Hints for clients, as of MCP tools. */
  annotations?: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
  /** Labels with which policies refer to several skills. */
  tags?: string[];
  uses?: ModuleUses;
  /** @returns a text, an object, `text(...)`, `image(...)`, `result(...)`, `failure(...)` or `ask(...)` */
  execute(input: Input, context: ModuleContext<Set>): unknown;
}

/** The context of a call to a module's skill: what the skill knows, and what it can do. */
export interface ModuleContext<Set = Settings> {
  /** Fires when the call times out, is cancelled, or its caller disconnects. A call that continues anyway ends with its thread. */
  readonly signal: AbortSignal;
  readonly caller: { readonly name: string; readonly groups: readonly string[] };
  /** The person's answers to `ask(...)` so far, by key; null = declined. Empty in the first round. */
  readonly answers: Readonly<Record<string, Record<string, unknown> | null>>;
  /** Values of `uses.settings`, as of the start of the call. */
  readonly settings: Readonly<Set>;
  /** Sends a request through the service, to the hosts in `uses.hosts`. Works like `fetch` in browsers, but reads bodies at once. */
  fetch(url: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Reads from a database of `uses.databases`: one SELECT, VALUES, TABLE or WITH, in a read-only transaction. Returns at most
   * 1,000 rows, and stops after a megabyte.
   * @param parameters values of `$1` and so on
   */
  query(database: string, sql: string, parameters?: (string | number | boolean | null)[]): Promise<FoundRows>;
  /** Calls a skill listed in `uses.skills`. @returns its structured result, or its text */
  callSkill(name: string, input?: Record<string, unknown>): Promise<unknown>;
  /**
   * Returns a placeholder for a secret of `uses.secrets`, for the URL, headers and text body of `fetch`; the service fills in the
   * secret.
   */
  secret(name: string): string;
  /** The current time; a test of the module can set it. */
  now(): Date;
  /** Reports progress to the caller, if it grows. */
  progress(progress: number, total?: number, message?: string): void;
  /** A small value (64 KB of JSON) that the module keeps, shared by all its callers. Needs `uses.state`. */
  readonly state: { get(): Promise<unknown>; set(value: unknown): Promise<void> };
}

/** The result of a query. */
export interface FoundRows {
  columns: string[];
  /** Values in column order: numbers, booleans, JSON and null as such, everything else in PostgreSQL's text format. */
  rows: unknown[][];
  /** True when there are more rows than these. */
  isCut: boolean;
}

/** A question to the person: a flat JSON Schema of the fields to fill in. */
export interface Question {
  message: string;
  schema: Record<string, unknown>;
}

/** Declares a skill, for type inference. */
export const skill = <Input = Record<string, unknown>, Set = Settings>(
  declared: ModuleSkill<Input, Set>,
): ModuleSkill<Input, Set> => declared;

/** Returned by `execute` to ask the person: `execute` is then called again, with `context.answers`. */
export const ask = (questions: Record<string, Question>): object => ({ [ASKED]: questions });

export const text = (value: string): object => ({ [BLOCK]: true, type: 'text', text: value });

/** @param data base64 */
export const image = (data: string, mimeType: string): object => ({ [BLOCK]: true, type: 'image', data, mimeType });

/** A result with several content blocks. */
export const result = (...content: object[]): object => ({ content });

/** A failed result: the message tells the assistant what was wrong, and what to do next. */
export const failure = (message: string): object => ({ content: [text(message)], isError: true });
