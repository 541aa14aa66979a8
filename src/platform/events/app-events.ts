import type { Told } from '#open-workflow';
import type { Client, JsonObject } from '#skill-kit';

/**
 * Every internal event: a fact in the past tense, sent after the change is durable. Find the references of a name to
 * see who sends it and who listens.
 */
export interface AppEvents {
  /** A setting was stored or reset; its new value takes effect with this event. */
  'setting.changed': { key: string } & Origin;
  /** The set of callable skills changed: one was added, removed, enabled or disabled. */
  'skills.changed': { names: string[] } & Origin;
  /** A skill got other limits; what clients see of it is the same. */
  'skill.limits_changed': { name: string };
  /** Workflows were saved, removed, enabled or disabled, or continue with another version. */
  'workflows.changed': { names: string[] } & Origin;
  /** Skill packages were saved, removed, enabled or disabled, or continue with another version. */
  'packages.changed': { names: string[] } & Origin;
  /** Skill modules were saved, removed, enabled, disabled or approved. */
  'modules.changed': { names: string[] } & Origin;
  /** The list of prompts changed, or what one of them is described as. */
  'prompts.changed': Origin;
  /** The list of readable resources changed. */
  'resources.changed': { store: string };
  /** The content of one resource changed, or the resource came or went. */
  'resource.updated': { uri: string };
  /** Feeds were subscribed to (`added`, their ids), or one ended or changed its title. */
  'feeds.changed': { added: readonly string[] };
  /** A feed has new or rewritten items, or its title, state or error changed. */
  'feed.updated': FeedUpdated;
  /** New items of a feed were stored. */
  'feed.items.arrived': FeedItemsArrived;
  /** A document of the knowledge base was saved or removed. */
  'knowledge.changed': { id: string; change: EntryChange };
  /** An entry of the memory was saved or removed, or has expired. */
  'memory.changed': { namespace: string; key: string; change: EntryChange };
  /** A run began, waits, or ended; sent by the replica that executes it. */
  'run.changed': { id: string; status: string };
  /** A step of a run ended, or with `told`, says how far it is; sent by the replica that executes it. */
  'run.step': { id: string; step: { name: string; task: string }; told?: Told };
  /** A run ended, or was cancelled. */
  'run.ended': RunEnded;
  /** A tool call ended, with whatever outcome. A call that a person had to confirm is told once, by the run that asked. */
  'tool.called': ToolCalled;
  /** The policies changed, or what they depend on. What clients may use may be different from now on. */
  'policies.changed': Origin;
  /** Lists that one client is shown have other entries. */
  'lists.changed': { client: string; lists: readonly ListName[] };
  /** A client read a resource, or was refused it. */
  'resource.read': ResourceRead;
  /** A client got a prompt, or was refused it. */
  'prompt.used': PromptUsed;
  /** A request came with a key that is not valid, or with none (`present`). */
  'key.refused': { address: string | null; present: boolean; at: Date };
  /** A message to a webhook was not taken; `subject` is the path that it was sent to. */
  'webhook.refused': MessageRefused;
  /** A key is no longer valid: everything that was opened with it must end. */
  'client.revoked': KeyEnded;
  /** Clients were made, changed or removed, or their keys: what is known of them must be looked up again. */
  'clients.changed': { names: string[] } & Origin;
  /** Accounts of people were made or removed, or got another role or other groups, or were disabled or enabled. */
  'accounts.changed': { names: string[] };
  /** The providers at which people log in were changed, or somebody whom they know was unlinked from an account. */
  'providers.changed': object;
  /** Somebody entered the right password of an account; `address` is where the request came from. */
  'admin.logged_in': { user: string; address: string };
  /** Somebody entered a wrong password, or the name of no account; `user` is empty when no account can have that name. */
  'admin.login_failed': { user: string; address: string };
  /** An administrator ended an MCP session: everything that it has open must end. */
  'session.ended': { id: string };
}

/** `isFromElsewhere`: another replica made the change and has told the clients; here it only takes effect. */
interface Origin {
  isFromElsewhere?: true;
}

interface KeyEnded {
  client: string;
  /** What is shown of the key; undefined = of the client `default`, which has only one. */
  key?: string | undefined;
}

export type ListName = 'tools' | 'prompts' | 'resources';

export type EntryChange = 'created' | 'updated' | 'removed';

/** `unknown`: there is no such tool, or it is disabled. */
export type ToolOutcome = 'ok' | 'error' | 'invalid' | 'denied' | 'unknown' | 'timeout' | 'cancelled';

/** What policy said of an action. */
export interface PolicyDecision {
  allowed: boolean;
  reason: DecisionReason;
  /** Names of the policies that decided; none when no policy permits the action, or policy was not asked. */
  policies: readonly string[];
  /** What a person must confirm before the call is made; null when nobody must. */
  approval: string | null;
  /** Whether the user of the client may confirm it, who is asked through the client. Otherwise, only an administrator may. */
  userMayApprove: boolean;
  /** What the policies advise those whom they forbid something; null when they advise nothing. */
  advice: string | null;
}

/**
 * `unevaluable`: a policy that forbids cannot be evaluated for this request. `engine_failed`: none can be, for any request.
 */
type DecisionReason = 'permitted' | 'forbidden' | 'not_permitted' | 'unevaluable' | 'engine_failed';

interface FeedUpdated {
  feed: string;
  /** Number of new items. */
  newItems: number;
  /** Ids of stored items that the publisher has rewritten; at most 100. */
  changedItems: string[];
}

interface FeedItemsArrived {
  feed: string;
  /** Ids of the new items, in the order of the document. */
  items: string[];
  /** Whether the feed had no items before, so that these are not what its publisher has just written. */
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
  /** What the caller sent. It may be large, and it may contain secrets. */
  arguments: JsonObject;
  /** Says which arguments are secrets (`writeOnly`); null when there is no such tool. */
  inputSchema: JsonObject | null;
  decision: PolicyDecision;
  /** Who confirmed the call; null when nobody had to, or nobody has. */
  approvedBy: string | null;
  outcome: ToolOutcome;
  /** What the call has made or changed, as its result names it; null when it names nothing, or the tool only reads. */
  resource: string | null;
  durationMs: number;
  /** What went wrong; null when the outcome is ok. */
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
  /** `denied`: it has no valid signature; `invalid`: it is too large, repeated, or no JSON. */
  outcome: 'denied' | 'unknown' | 'invalid' | 'throttled' | 'error';
  message: string;
  at: Date;
}

export interface PromptUsed {
  prompt: string;
  /** The resource that the prompt shows, if it shows one. */
  uri?: string;
  client: Client;
  arguments: Record<string, string>;
  decision: PolicyDecision;
  outcome: 'ok' | 'denied' | 'unknown' | 'invalid' | 'error';
  durationMs: number;
  at: Date;
}
