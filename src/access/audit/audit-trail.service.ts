import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { AppEvents } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import type { AuditEntry } from './audit-entry.js';
import { AuditLog } from './audit-log.service.js';

const MINUTE_MS = 60_000;

/** A login that did not succeed. */
export interface FailedLogin {
  /** The name that was tried; null when none was given. */
  name: string | null;
  address: string | null;
  /** Whether it was refused without looking at the password, because there were too many before. */
  isThrottled: boolean;
}

/** A change that the role of an administrator does not permit. */
export interface RefusedChange {
  name: string;
  address: string | null;
  /** Method and path of the request. */
  change: string;
}

/** Records what the endpoint tells of calls, reads, prompts and refused keys, and the logins that failed. */
@Injectable()
export class AuditTrail extends PeriodicWork implements BeforeApplicationShutdown {
  private readonly refusals: RefusalCounts;

  constructor(
    private readonly log: AuditLog,
    events: EventBus,
  ) {
    super(MINUTE_MS);
    this.refusals = new RefusalCounts((entry) => this.log.record(entry));
    events.on('tool.called', (call) => this.log.record(entryOfCall(call)));
    events.on('resource.read', (read) => this.log.record(entryOfRead(read)));
    events.on('prompt.used', (use) => this.log.record(entryOfPrompt(use)));
    events.on('key.refused', (refused) => this.refusals.add(entryOfKey(refused)));
  }

  loginFailed({ name, address, isThrottled }: FailedLogin): void {
    this.refusals.add({
      kind: 'login_failed',
      at: new Date(),
      admin: name,
      action: 'logIn',
      outcome: isThrottled ? 'throttled' : 'denied',
      address,
    });
  }

  /** Records that an administrator may not make a change. */
  changeRefused({ name, address, change }: RefusedChange): void {
    const what = { kind: 'change', action: 'refuse', subject: change, outcome: 'denied' } as const;
    this.log.record({ ...what, at: new Date(), admin: name, address });
  }

  async tick(): Promise<void> {
    this.refusals.tell();
  }

  // The log writes it in its own shutdown hook.
  beforeApplicationShutdown(): void {
    this.refusals.tell();
  }
}

function entryOfCall(call: AppEvents['tool.called']): AuditEntry {
  const { at, client, tool, arguments: args, inputSchema, decision, approvedBy, outcome, durationMs, message } = call;
  const what = { kind: 'call', action: 'callTool', subject: tool } as const;
  return { ...what, at, client, arguments: args, inputSchema, decision, approvedBy, outcome, durationMs, message };
}

function entryOfRead({ at, client, uri, decision, outcome, durationMs }: AppEvents['resource.read']): AuditEntry {
  return { kind: 'read', action: 'readResource', subject: uri, at, client, decision, outcome, durationMs };
}

function entryOfPrompt(use: AppEvents['prompt.used']): AuditEntry {
  const { at, client, prompt, arguments: args, decision, outcome, durationMs } = use;
  const what = { kind: 'prompt', action: 'getPrompt', subject: prompt } as const;
  return { ...what, at, client, arguments: args, decision, outcome, durationMs };
}

const entryOfKey = ({ at, address, present }: AppEvents['key.refused']): AuditEntry => ({
  kind: 'wrong_key',
  action: 'authenticate',
  at,
  address,
  outcome: present ? 'denied' : 'missing',
});

interface Refusals {
  entry: AuditEntry;
  /** Number of those that no entry tells of yet. */
  untold: number;
}

const MOST_SENDERS = 1_000;

/**
 * Counts refused keys and logins, of which anybody can send any number: the first one of each address is recorded at once,
 * and the others once a minute with their number. Beyond 1,000 addresses in a minute, all others are counted together.
 */
class RefusalCounts {
  private senders = new Map<string, Refusals>();

  constructor(private readonly record: (entry: AuditEntry) => void) {}

  add(entry: AuditEntry): void {
    const key = JSON.stringify([entry.kind, entry.outcome, entry.address]);
    const known = this.senders.get(key);
    if (known) {
      known.untold += 1;
      known.entry = entry;
      return;
    }
    if (this.senders.size >= MOST_SENDERS && entry.address !== null) {
      return this.add({ ...entry, address: null, admin: null, message: 'from many addresses' });
    }
    this.senders.set(key, { entry, untold: 0 });
    this.record({ ...entry, count: 1 });
  }

  /** Records what has been counted since the last time. */
  tell(): void {
    const senders = this.senders;
    this.senders = new Map();
    for (const { entry, untold } of senders.values()) if (untold > 0) this.record({ ...entry, count: untold });
  }
}
