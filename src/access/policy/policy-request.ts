import type { Client, SkillDefinition } from '#skill-kit';

/** The part of a skill that policies see as a `Tool`. */
export type ToolSubject = Pick<SkillDefinition, 'name' | 'kind' | 'tags' | 'annotations' | 'inputSchema'>;

/** A question to the policies, in Cedar's terms: may this principal do this action on this resource, in this context? */
export type PolicyRequest = { client: Client } & (
  | { action: 'callTool'; tool: ToolSubject; /** As passed to the tool. */ arguments: object }
  | { action: 'readResource'; /** In its canonical form. */ uri: string; tags?: readonly string[] }
  | { action: 'getPrompt'; prompt: string }
);

export type PolicyAction = PolicyRequest['action'];

/** Something that a list may show to a client. */
export type ListedSubject = { action: 'callTool'; tool: ToolSubject } | Exclude<PolicySubject, { action: 'callTool' }>;

export type PolicySubject = PolicyRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'client'>
    : never
  : never;

/**
 * What a client may do, as far as it is known without the arguments: everything, some of it, everything after a person's
 * approval, or nothing.
 */
export interface PolicyOutlook {
  use: 'allowed' | 'depends' | 'approval' | 'refused';
  /** Names of the policies that decide; for "depends", those that need more information. */
  policies: readonly string[];
}
