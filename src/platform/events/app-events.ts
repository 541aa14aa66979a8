import type { ExceededLimit } from '#mcp-http';
import type { StepProgress } from '#open-workflow';
import type { Client, JsonObject } from '#skill-kit';

/**
 * Every internal event: a fact in the past tense, sent after the change is durable. Find the references of a name to see its
 * senders and listeners.
 */
export interface AppEvents {
  /** A setting was stored or reset; its new value takes effect with this event. */
  'setting.changed': { key: string } & Origin;
  /** The set of callable skills changed: one was added, removed, enabled or disabled. */
  'skills.changed': { names: string[] } & Origin;
  /** A skill got other limits; its definition for clients is unchanged. */
  'skill.limits_changed': { name: string };
  /** Workflows were saved, removed, enabled or disabled, or their current version changed. */
  'workflows.changed': { names: string[] } & Origin;
  /** Skill packages were saved, removed, enabled or disabled, or their current version changed. */
  'packages.changed': { names: string[] } & Origin;
  /** Skill modules were saved, removed, enabled, disabled or approved. */
  'modules.changed': { names: string[] } & Origin;
  /** The list of prompts changed, or the description of one of them. */
  'prompts.changed': Origin;
  /** The list of readable resources changed. */
  'resources.changed': { store: string };
  /** The content of a resource changed, or it was created or removed. */
  'resource.updated': { uri: string };
  /** Feeds were added (`added`, their ids), or one was removed or changed its title. */
  'feeds.changed': { added: readonly string[] };
  /** A feed has new or rewritten items, or its title, state or error changed. */
  'feed.updated': FeedUpdated;
  /** New items of a feed were stored. */
  'feed.items.arrived': FeedItemsArrived;
  /** A document of the knowledge base was saved or removed. */
  'knowledge.changed': { id: string } & ListedChange;
  /** An entry of the memory was saved or removed, or has expired. */
  'memory.changed': { namespace: string; key: string } & ListedChange;
  /** A run started, began to wait, or ended; sent by the replica that executes it. */
  'run.changed': { id: string; status: string };
  /** A step of a run ended, or with `progress`, reported it; sent by the replica that executes it. */
  'run.step': { id: string; step: { name: string; task: string }; progress?: StepProgress };
  /** A run ended, or was cancelled. */
  'run.ended': RunEnded;
  /** A tool call ended, with any outcome. A call that a person had to confirm is reported once, by the run that asked. */
  'tool.called': ToolCalled;
  /** The policies changed, or data that they depend on. Clients' permissions may have changed. */
  'policies.changed': Origin;
  /** The entries of a client's lists changed. */
  'lists.changed': { client: string; lists: readonly ListName[] };
  /** A client read a resource, or was denied access. */
  'resource.read': ResourceRead;
  /** A client got a prompt, or was denied it. */
  'prompt.used': PromptUsed;
  /** A request had an invalid key, or none (`present`). */
  'key.refused': { address: string | null; present: boolean; at: Date };
  /** The endpoint refused a request because its client, or all clients together, had too much open. */
  'limit.exceeded': ExceededLimit;
  /** A webhook rejected a message; `subject` is the request path. */
  'webhook.refused': MessageRefused;
  /** A key is no longer valid: everything opened with it must end. */
  'client.revoked': KeyEnded;
  /** Clients or their keys were created, changed or removed: cached data about them is outdated. */
  'clients.changed': { names: string[] } & Origin;
  /** Accounts were created, removed, enabled or disabled, or their role or groups changed. */
  'accounts.changed': { names: string[] };
  /** The login providers changed, or an identity was unlinked from an account. */
  'providers.changed': object;
  /** A login succeeded; `address` is where the request came from. */
  'admin.logged_in': { user: string; address: string };
  /** A login failed: wrong password or unknown account; `user` is empty when no account can have that name. */
  'admin.login_failed': { user: string; address: string };
  /** An administrator ended an MCP session: everything that it has open must end. */
  'session.ended': { id: string };
}

/** `isFromElsewhere`: another replica made the change and has notified the clients; here it only takes effect. */
interface Origin {
  isFromElsewhere?: true;
}

interface KeyEnded {
  client: string;
  /** The displayed part of the key; undefined for the client `default`, which has only one. */
  key?: string | undefined;
}

export type ListName = 'tools' | 'prompts' | 'resources';

export type EntryChange = 'created' | 'updated' | 'removed';

interface ListedChange {
  change: EntryChange;
  /** True when an update changed what the list of resources shows, such as the title. */
  relisted?: boolean;
}

/** `unknown`: the tool does not exist or is disabled. */
export type ToolOutcome = 'ok' | 'error' | 'invalid' | 'denied' | 'unknown' | 'timeout' | 'cancelled';

/** The policies' decision on an action. */
export interface PolicyDecision {
  allowed: boolean;
  reason: DecisionReason;
  /** Names of the policies that decided; empty when no policy permits the action, or policy was not consulted. */
  policies: readonly string[];
  /** The question that a person must confirm before the call is made; null = no confirmation needed. */
  approval: string | null;
  /** True when the client's user may confirm it, who is asked through the client. Otherwise, only an administrator may. */
  userMayApprove: boolean;
  /** The advice of the forbidding policies; null = none. */
  advice: string | null;
}

/**
 * `unevaluable`: a forbidding policy cannot be evaluated for this request. `engine_failed`: no policy can be evaluated, for any
 * request.
 */
type DecisionReason = 'permitted' | 'forbidden' | 'not_permitted' | 'unevaluable' | 'engine_failed';

interface FeedUpdated {
  feed: string;
  newItems: number;
  /** Ids of stored items that the publisher has rewritten; at most 100. */
  changedItems: string[];
}

interface FeedItemsArrived {
  feed: string;
  /** Ids of the new items, in document order. */
  items: string[];
  /** True when the feed had no items before, so these are not newly published. */
  isBacklog: boolean;
}

export interface RunEnded {
  id: string;
  /** Name of the workflow or skill. */
  name: string;
  client: string;
  status: string;
  origin: string;
}

export interface ToolCalled {
  tool: string;
  client: Client;
  /** The caller's arguments. They may be large, and may contain secrets. */
  arguments: JsonObject;
  /** Marks secret arguments (`writeOnly`); null when the tool does not exist. */
  inputSchema: JsonObject | null;
  decision: PolicyDecision;
  /** The person who confirmed the call; null when none was needed, or nobody did. */
  approvedBy: string | null;
  outcome: ToolOutcome;
  /** The resource that the call created or changed, as named in its result; null when it names none, or the tool only reads. */
  resource: string | null;
  durationMs: number;
  /** The error; null when the outcome is ok. */
  message: string | null;
  at: Date;
}

export interface ResourceRead {
  uri: string;
  client: Client;
  decision: PolicyDecision;
  outcome: 'ok' | 'denied' | 'unknown' | 'error';
  durationMs: number;
  at: Date;
}

export interface MessageRefused {
  subject: string;
  address: string | null;
  /** `denied`: no valid signature; `invalid`: too large, repeated, or not JSON. */
  outcome: 'denied' | 'unknown' | 'invalid' | 'throttled' | 'error';
  message: string;
  at: Date;
}

export interface PromptUsed {
  prompt: string;
  /** The resource that the prompt shows, if any. */
  uri?: string;
  client: Client;
  arguments: Record<string, string>;
  decision: PolicyDecision;
  outcome: 'ok' | 'denied' | 'unknown' | 'invalid' | 'error';
  durationMs: number;
  at: Date;
}
