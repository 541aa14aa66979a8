/**
 * The possible results of a skill: the shapes of MCP content blocks (specification 2026-07-28, server/tools, "Tool Result"),
 * declared without depending on an SDK.
 */
export interface TextContent {
  type: 'text';
  text: string;
}

/** Binary content, base64-encoded. */
export interface MediaContent {
  type: 'image' | 'audio';
  data: string;
  mimeType: string;
}

export interface EmbeddedResourceContent {
  type: 'resource';
  resource: { uri: string; mimeType?: string } & ({ text: string } | { blob: string });
}

export interface ResourceLinkContent {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

export type Content = TextContent | MediaContent | EmbeddedResourceContent | ResourceLinkContent;

export type JsonObject = Record<string, unknown>;

/** The result of a finished call. `structuredContent` must match the output schema of the skill, if it declares one. */
export interface SkillResult {
  content: Content[];
  structuredContent?: JsonObject;
  isError?: boolean;
  /** For the program and its views; programs do not pass it to models. */
  _meta?: JsonObject;
}

export const text = (value: string): TextContent => ({ type: 'text', text: value });

export const image = (data: string, mimeType: string): MediaContent => ({ type: 'image', data, mimeType });

export const audio = (data: string, mimeType: string): MediaContent => ({ type: 'audio', data, mimeType });

export const embedded = (resource: EmbeddedResourceContent['resource']): EmbeddedResourceContent => ({
  type: 'resource',
  resource,
});

/** Creates a result of content blocks, for skills that return more than a single text or object. */
export const result = (...content: Content[]): SkillResult => ({ content });

/** Creates a failed result. The message should tell the assistant what was wrong and what to do next. */
export const failure = (message: string): SkillResult => ({ content: [text(message)], isError: true });

/**
 * A question to the caller: to the person (`elicitation/create`), to the assistant's model (`sampling/createMessage`),
 * or for the workspace folders (`roots/list`). Specification 2026-07-28, basic/patterns/mrtr.
 */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params?: JsonObject;
  /** True when neither the caller nor its user may answer it: only the run of a long skill may ask such questions. */
  notCaller?: boolean;
}

/** Signals that a skill needs input: it is executed again with the answers in `context.answers`. */
export interface InputRequired {
  inputRequests?: Record<string, InputRequest>;
  /** Any JSON value; passes through the client encrypted, and returns as `context.state`. */
  state?: unknown;
}

const INPUT_REQUIRED = Symbol('InputRequired');

/**
 * Asks for inputs, under keys that the skill chooses.
 * @throws TypeError when there is neither an input request nor a `state`
 */
export function inputRequired(spec: InputRequired): InputRequired {
  if (!spec.state && Object.keys(spec.inputRequests ?? {}).length === 0) {
    throw new TypeError('inputRequired() needs at least one input request or a state');
  }
  return Object.defineProperty({ ...spec }, INPUT_REQUIRED, { value: true });
}

export function isInputRequired(value: unknown): value is InputRequired {
  return typeof value === 'object' && value !== null && INPUT_REQUIRED in value;
}

/** Asks the person to fill in a form; `requestedSchema` is a flat JSON Schema of primitive properties. */
export const elicit = (message: string, requestedSchema: JsonObject): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema },
});

/** Asks the assistant's model to continue a conversation. */
export const sample = (messages: JsonObject[], maxTokens: number, more: JsonObject = {}): InputRequest => ({
  method: 'sampling/createMessage',
  params: { ...more, messages, maxTokens },
});

/** Asks which folders the person works in. */
export const listRoots = (): InputRequest => ({ method: 'roots/list' });

/** Returns what the person entered; undefined when the question was not answered, or was declined or cancelled. */
export function acceptedAnswer(answers: Readonly<JsonObject>, key: string): JsonObject | undefined {
  const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
  if (!isObject(answer) || answer['action'] !== 'accept') return undefined;
  return isObject(answer['content']) ? answer['content'] : undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Signals that the work of a call continues as a durable run, which outlives the call. */
export interface FollowRun {
  runId: string;
  /** The message to a caller that cannot follow runs as tasks: it names the run, and says how to learn its outcome. */
  message: string;
}

const FOLLOW_RUN = Symbol('FollowRun');

/** Ends a call whose work continues as a run. Callers with `context.followsTasks` get a task, others the message. */
export function followRun(run: FollowRun): FollowRun {
  return Object.defineProperty({ ...run }, FOLLOW_RUN, { value: true });
}

export function isFollowRun(value: unknown): value is FollowRun {
  return typeof value === 'object' && value !== null && FOLLOW_RUN in value;
}

const INTERNAL_ERROR = -32603; // JSON-RPC 2.0, "Error object"

/**
 * Thrown by a skill to end its call with a JSON-RPC error: the call itself is wrong, and the caller's program must handle it. For
 * problems that the assistant can fix, return `failure(...)` instead.
 */
export class ProtocolFault extends Error {
  constructor(
    message: string,
    readonly code: number = INTERNAL_ERROR,
  ) {
    super(message);
  }
}
