import type { Json, JsonObject } from '../json.js';

export type DocumentNode = ScalarNode | ListNode | ObjectNode;

export interface ScalarNode {
  type: 'scalar';
  value: null | boolean | number | string;
  /** True when the node could not be read, which has been reported. */
  isBroken?: true;
  at: number;
}

interface ListNode {
  type: 'list';
  items: DocumentNode[];
  value: Json[];
  at: number;
}

export interface ObjectNode {
  type: 'object';
  members: Map<string, Member>;
  value: JsonObject;
  at: number;
}

export interface Member {
  nameAt: number;
  node: DocumentNode;
}

/** Describes a value for a message. */
export function kindOf(node: DocumentNode): string {
  if (node.type === 'list') return 'a list';
  if (node.type === 'object') return 'an object';
  if (node.value === null) return 'empty';
  return { boolean: 'true or false', number: 'a number', string: 'text' }[typeof node.value as 'string'] ?? 'a value';
}

export const isText = (node: DocumentNode): node is ScalarNode & { value: string } =>
  node.type === 'scalar' && typeof node.value === 'string';

export const nodeAt = (node: DocumentNode, names: readonly string[]): DocumentNode | undefined =>
  names.reduce<DocumentNode | undefined>(
    (inner, name) => (inner?.type === 'object' ? inner.members.get(name)?.node : undefined),
    node,
  );
