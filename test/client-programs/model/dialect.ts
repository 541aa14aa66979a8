/** A tool in a request of a program to its model. */
export interface OfferedTool {
  name: string;
  /** The group of the tool, for programs that group tools; empty otherwise. */
  group: string;
  description: string;
  schema: object;
}

/** What a request shows the model. */
export interface Shown {
  /** All messages, as JSON, without the tools. */
  prompt: string;
  tools: OfferedTool[];
  /** The tool results, in the order of the calls. */
  results: string[];
}

/** A response of the model: a tool call, or a text that ends its turn. */
export type Answer = { call: OfferedTool; id: string; arguments: object } | { text: string };

/** An API between programs and models. */
export interface Dialect {
  /** The paths of completion requests. */
  path: RegExp;
  shown: (body: object) => Shown;
  /** The events of a stream: each with its data, and with its name if the API names events. */
  stream: (answer: Answer) => { event?: string; data: object | string }[];
  /** The response to a request without streaming. */
  whole: (answer: Answer) => object;
  wantsStream: (body: object, path: string) => boolean;
}

/** Returns the text of a part, or of a list of parts. */
export function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(textOf).join('\n');
  if (typeof part === 'object' && part !== null && 'text' in part) return textOf(part.text);
  return part === undefined || part === null ? '' : JSON.stringify(part);
}
