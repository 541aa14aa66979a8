import type { CloudEvent } from './durable-steps.js';
import type { EventAttributes } from './model.js';

export function matchesEvent(filter: EventAttributes, event: CloudEvent): boolean {
  return Object.entries(filter).every(([name, value]) => JSON.stringify(event[name]) === JSON.stringify(value));
}
