/**
 * Every internal event: a fact in the past tense, sent after the change is durable. Find the references of a name to see
 * who sends it and who listens.
 */
export interface AppEvents {
  /** A setting was stored or reset; its new value takes effect with this event. */
  'setting.changed': { key: string } & Origin;
  /** The set of callable skills changed: one was added, removed, enabled or disabled. */
  'skills.changed': { names: string[] } & Origin;
  'prompts.changed': Record<string, never>;
  /** The list of readable resources changed. */
  'resources.changed': { store: string };
  /** The content of one resource changed. */
  'resource.updated': { uri: string };
  /** A feed was subscribed to, ended, or changed its title. */
  'feeds.changed': Record<string, never>;
  /** What is known of a feed changed: it has new items, others were rewritten, or its state is another. */
  'feed.updated': FeedUpdated;
  /** A document of the knowledge base was saved or removed. */
  'knowledge.changed': { id: string; change: EntryChange };
  /** An entry of the memory was saved, removed or has expired. */
  'memory.changed': { namespace: string; key: string; change: EntryChange };
  /** A tool call ended, however it ended. */
  'tool.called': ToolCalled;
  /** A client's key is no longer valid: whatever it has open must end. */
  'client.revoked': { client: string };
  /** An administrator ended an MCP session: what it has open must end. */
  'session.ended': { id: string };
}

/** Another replica changed it and has told the clients: here it only takes effect. */
interface Origin {
  isFromElsewhere?: true;
}

export type EntryChange = 'created' | 'updated' | 'removed';

export type ToolOutcome = 'ok' | 'error' | 'invalid' | 'denied' | 'timeout' | 'cancelled';

interface FeedUpdated {
  feed: string;
  /** How many. */
  newItems: number;
  /** Ids of items that were there before and were rewritten; at most 100. */
  changedItems: string[];
}

export interface ToolCalled {
  tool: string;
  client: string;
  outcome: ToolOutcome;
  durationMs: number;
  /** What went wrong, for outcomes other than ok. */
  message: string | null;
  at: Date;
}
