/**
 * What a skill may answer with: the shapes of MCP content blocks (specification 2026-07-28, server/tools, "Tool
 * Result"), declared without depending on an SDK.
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
}

export const text = (value: string): TextContent => ({ type: 'text', text: value });

export const image = (data: string, mimeType: string): MediaContent => ({ type: 'image', data, mimeType });

export const audio = (data: string, mimeType: string): MediaContent => ({ type: 'audio', data, mimeType });

export const embedded = (resource: EmbeddedResourceContent['resource']): EmbeddedResourceContent => ({
  type: 'resource',
  resource,
});

/** Makes a result of content blocks, for skills that answer with more than a single text or object. */
export const result = (...content: Content[]): SkillResult => ({ content });

/** Makes a failed result. The message should tell the assistant what was wrong and what to do next. */
export const failure = (message: string): SkillResult => ({ content: [text(message)], isError: true });
