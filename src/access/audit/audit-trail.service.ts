import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { AppEvents } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import type { AuditEntry } from './audit-entry.js';
import { AuditLog } from './audit-log.service.js';
import { RefusalCounts } from './refusal-counts.js';

const MINUTE_MS = 60_000;
/** Outcomes of refused calls, which are counted. Failed and stopped calls may have had effects, so each has its own entry. */
const IS_COUNTED: ReadonlySet<string> = new Set(['denied', 'unknown', 'invalid']);
/** Addresses that are counted separately per minute. */
const MOST_SENDERS = 1_000;
/** Tools, URIs or prompts that are counted separately per minute, for each client and outcome. */
const MOST_KINDS = 10;

export interface FailedLogin {
  /** The attempted name; null = none was given. */
  name: string | null;
  address: string | null;
  /** True when it was refused without checking the password, after too many attempts. */
  isThrottled: boolean;
}

/** A change that the role of an administrator does not permit. */
export interface RefusedChange {
  name: string;
  address: string | null;
  /** Method and path of the request. */
  change: string;
}

/** Records the endpoint's events of calls, reads, prompts and refused keys, and failed logins. */
@Injectable()
export class AuditTrail extends PeriodicWork implements BeforeApplicationShutdown {
  private readonly refusals: RefusalCounts;

  constructor(
    private readonly log: AuditLog,
    events: EventBus,
  ) {
    super(MINUTE_MS);
    this.refusals = new RefusalCounts((entry) => this.log.record(entry));
    events.on('tool.called', (call) => this.used(entryOfCall(call)));
    events.on('resource.read', (read) => this.used(entryOfRead(read)));
    events.on('prompt.used', (use) => this.used(entryOfPrompt(use)));
    events.on('key.refused', (refused) => this.refusedByAddress(entryOfKey(refused)));
    events.on('webhook.refused', (refused) => this.refusedByAddress(entryOfMessage(refused)));
  }

  loginFailed({ name, address, isThrottled }: FailedLogin): void {
    this.refusedByAddress({
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
    this.refusals.add(
      { ...what, at: new Date(), admin: name, address },
      {
        group: ['change', 'denied', name],
        apart: change,
        most: MOST_KINDS,
        together: { subject: null, message: 'changes of many kinds' },
      },
    );
  }

  async tick(): Promise<void> {
    this.refusals.flush();
  }

  // Calls may still end after this.
  beforeApplicationShutdown(): void {
    this.refusals.flush();
  }

  override async onApplicationShutdown(): Promise<void> {
    this.refusals.flush();
    await super.onApplicationShutdown();
  }

  private used(entry: AuditEntry): void {
    const { kind, outcome, client = null } = entry;
    const isWithoutEffect = IS_COUNTED.has(outcome) || (kind === 'read' && outcome === 'error');
    if (!isWithoutEffect) return this.log.record(entry);
    this.refusals.add(entry, {
      group: [kind, outcome, client?.name],
      apart: `${client?.origin?.run?.id ?? ''} ${entry.subject ?? ''}`,
      most: MOST_KINDS,
      together: {
        client: client && { name: client.name, groups: client.groups },
        subject: null,
        message: 'of many subjects',
      },
    });
  }

  private refusedByAddress(entry: AuditEntry): void {
    this.refusals.add(entry, {
      group: [entry.kind, entry.outcome],
      apart: entry.address ?? '',
      most: MOST_SENDERS,
      together: { address: null, admin: null, message: 'from many addresses' },
    });
  }
}

function entryOfCall(call: AppEvents['tool.called']): AuditEntry {
  const { tool, ...known } = call;
  const what = { kind: 'call', action: 'callTool', subject: tool } as const;
  return { ...what, ...known };
}

function entryOfRead({ at, client, uri, decision, outcome, durationMs }: AppEvents['resource.read']): AuditEntry {
  return { kind: 'read', action: 'readResource', subject: uri, at, client, decision, outcome, durationMs };
}

function entryOfPrompt(use: AppEvents['prompt.used']): AuditEntry {
  const { at, client, prompt, uri = null, arguments: args, decision, outcome, durationMs } = use;
  const what = { kind: 'prompt', action: 'getPrompt', subject: prompt } as const;
  return { ...what, resource: uri, at, client, arguments: args, decision, outcome, durationMs };
}

const entryOfMessage = (refused: AppEvents['webhook.refused']): AuditEntry => ({
  kind: 'webhook_refused',
  action: 'receiveMessage',
  ...refused,
});

const entryOfKey = ({ at, address, present }: AppEvents['key.refused']): AuditEntry => ({
  kind: 'wrong_key',
  action: 'authenticate',
  at,
  address,
  outcome: present ? 'denied' : 'missing',
});
