import { EventEmitter2 } from '@nestjs/event-emitter';
import type { AppEvents, ToolCalled } from './app-events.js';
import { EventBus } from './event-bus.service.js';

type Recorded = { [Name in keyof AppEvents]: [Name, AppEvents[Name]] }[keyof AppEvents];

/** Creates an event bus for tests that records everything sent on it. */
export function recordedEvents(): { events: EventBus; sent: Recorded[] } {
  const emitter = new EventEmitter2({ wildcard: false });
  const sent: Recorded[] = [];
  emitter.onAny((name, event) => sent.push([name, event] as Recorded));
  return { events: new EventBus(emitter), sent };
}

/** Creates the event of a successful call, with changes. */
export const toolCalled = (change: Partial<ToolCalled> = {}): ToolCalled => ({
  tool: 'forecast',
  client: { name: 'default', groups: [] },
  arguments: {},
  inputSchema: null,
  decision: { allowed: true, reason: 'permitted', policies: [], approval: null, userMayApprove: false, advice: null },
  approvedBy: null,
  outcome: 'ok',
  resource: null,
  durationMs: 5,
  message: null,
  at: new Date(),
  ...change,
});
