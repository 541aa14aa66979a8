/** A tool as a program offers it to its model. */
export interface OfferedTool {
  name: string;
  /** The name that goes with it where a program groups its tools; empty otherwise. */
  group: string;
  description: string;
  schema: object;
}

/** What a request shows a model. */
export interface Shown {
  /** All that is said, as JSON, without the tools. */
  prompt: string;
  tools: OfferedTool[];
  /** The results of the tools that were called, in the order of the calls. */
  results: string[];
}

/** What a model answers: a call of a tool, or a text that ends its turn. */
export type Answer = { call: OfferedTool; id: string; arguments: object } | { text: string };

/** How programs and models talk. */
export interface Dialect {
  /** The paths that requests for an answer have. */
  path: RegExp;
  shown: (body: object) => Shown;
  /** The events of a stream: each with its name, where events have names, and its data. */
  stream: (answer: Answer) => { event?: string; data: object | string }[];
  /** The answer to a request that wants no stream. */
  whole: (answer: Answer) => object;
  wantsStream: (body: object, path: string) => boolean;
}

/** The text of a part that is a text, or a list of parts with texts. */
export function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(textOf).join('\n');
  if (typeof part === 'object' && part !== null && 'text' in part) return textOf(part.text);
  return part === undefined || part === null ? '' : JSON.stringify(part);
}
