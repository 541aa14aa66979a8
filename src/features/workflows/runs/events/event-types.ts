import { ANSWER_EVENT } from '#open-workflow';

/** The types of the events that the service itself sends. */
export const SERVICE_EVENT_TYPES = [
  'feed.item.arrived',
  'document.saved',
  'document.removed',
  'memory.saved',
  'memory.removed',
  'run.ended',
] as const;

export type ServiceEventType = (typeof SERVICE_EVENT_TYPES)[number];

/** Returns whether only the service itself sends events of this type: otherwise others could answer in place of a person. */
export const isReservedType = (type: string): boolean =>
  type === ANSWER_EVENT || SERVICE_EVENT_TYPES.some((own) => own === type);
