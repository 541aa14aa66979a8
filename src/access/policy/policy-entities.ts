import { CedarSet, type Entity, EntityUid, recordOf } from '#cedar';
import type { Client } from '#skill-kit';
import { accountOf } from '../clients/person.js';
import type { PolicyAction, ToolSubject } from './policy-request.js';

const NO_ANCESTORS: ReadonlySet<string> = new Set();

export const ACTIONS = {
  callTool: new EntityUid('Action', 'callTool'),
  readResource: new EntityUid('Action', 'readResource'),
  getPrompt: new EntityUid('Action', 'getPrompt'),
} as const satisfies Record<PolicyAction, EntityUid>;

/** The entity of a client, or of a person who has signed in with a program, with its groups. */
export function principalEntity({ name: caller, groups }: Pick<Client, 'name' | 'groups'>): Entity {
  const account = accountOf(caller);
  const name = account ?? caller;
  return {
    uid: new EntityUid(account === null ? 'Client' : 'Person', name),
    attributes: recordOf([['name', name]]),
    ancestors: new Set(groups.map((group) => new EntityUid('Group', group).key)),
  };
}

/** The entity of a tool. Missing hints have the defaults of the specification (2026-07-28, ToolAnnotations). */
export function toolEntity({ name, kind, tags, annotations = {} }: ToolSubject): Entity {
  const { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true } = annotations;
  return {
    uid: new EntityUid('Tool', name),
    attributes: recordOf([
      ['name', name],
      ['kind', kind],
      ['tags', CedarSet.of(tags)],
      ['readOnly', readOnlyHint],
      // The hint matters only for tools that change something.
      ['destructive', destructiveHint && !readOnlyHint],
      ['idempotent', idempotentHint],
      ['openWorld', openWorldHint],
    ]),
    ancestors: NO_ANCESTORS,
  };
}

export const resourceEntity = (uri: string, tags: readonly string[] = []): Entity => ({
  uid: new EntityUid('Resource', uri),
  attributes: recordOf([
    ['uri', uri],
    ['store', uri.slice(0, Math.max(0, uri.indexOf(':')))],
    ['tags', CedarSet.of(tags)],
  ]),
  ancestors: NO_ANCESTORS,
});

export const promptEntity = (name: string): Entity => ({
  uid: new EntityUid('Prompt', name),
  attributes: recordOf([['name', name]]),
  ancestors: NO_ANCESTORS,
});
