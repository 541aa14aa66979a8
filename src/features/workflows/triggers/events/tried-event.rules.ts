import { isObject } from '#bounded-json';
import type { CloudEvent, Json, JsonObject, Schedule } from '#open-workflow';
import { type ServiceEventType, SERVICE_EVENT_TYPES } from '../../runs/events/event-types.js';

/** Filters with expressions give no example value. */
const EXPRESSION = /^\s*\$\{/;
/** Neither do regular expressions, which have these characters. The dot is not included, because most types have one. */
const PATTERN = /[\\^$*+?()[\]{}|]/;
const MOST_MISTAKES = 10;
const ATTRIBUTE = /^[a-z0-9]{1,20}$/;

const DOCUMENT = {
  id: 'deploying',
  uri: 'knowledge://documents/deploying',
  title: 'Deploying',
  tags: ['ops'],
  source: null,
  path: null,
  characters: 11,
  excerpt: '# Deploying',
};
const ENTRY = { namespace: 'team', key: 'deploy-day', uri: 'memory://team/deploy-day' };

/** Sample data of the service's events for trials, with the members of real ones. */
export const SAMPLE_DATA: Readonly<Record<ServiceEventType, JsonObject>> = {
  'feed.item.arrived': {
    feed: { id: 'releases', title: 'Releases', uri: 'rss://releases' },
    item: {
      id: 'v2',
      uri: 'rss://releases/v2',
      url: 'https://example.com/v2',
      title: 'Version 2',
      author: null,
      publishedAt: '2026-11-21T12:00:00.000Z',
      summary: 'What is new.',
      categories: ['release'],
    },
    isBacklog: false,
  },
  'document.saved': DOCUMENT,
  'document.removed': { id: DOCUMENT.id, uri: DOCUMENT.uri },
  'memory.saved': {
    ...ENTRY,
    tags: [],
    importance: 3,
    client: 'ada',
    version: 1,
    characters: 7,
    excerpt: 'Tuesday',
  },
  'memory.removed': ENTRY,
  'run.ended': {
    id: '0'.repeat(32),
    uri: `run://${'0'.repeat(32)}`,
    name: 'weekly_report',
    client: 'ada',
    status: 'completed',
    origin: 'schedule',
  },
};

/** Returns an event for trying a workflow that matches its filter; null when no event starts the workflow. */
export function exampleEvent(schedule: Schedule | undefined): JsonObject | null {
  const filter = schedule?.on?.one.with;
  if (!filter) return null;
  const { data, ...asked } = filter;
  const attributes = Object.entries(asked).filter(
    ([, value]) => typeof value === 'string' && !PATTERN.test(value) && !EXPRESSION.test(value),
  );
  const event = { type: 'example', source: 'https://example.com/', ...Object.fromEntries(attributes) };
  const sample = isServiceType(event.type) ? SAMPLE_DATA[event.type] : {};
  return { ...event, data: merged(sample, data ?? {}) };
}

/**
 * Returns the event with which an administrator tries a workflow.
 * @param given any of its attributes; missing ones are filled in
 */
export const triedEvent = (given: JsonObject, schedule: Schedule | undefined, id: string, now: Date): CloudEvent => {
  const { type, source } = exampleEvent(schedule) ?? {};
  return { specversion: '1.0', id, source, type, time: now.toISOString(), ...given } as CloudEvent;
};

/** Returns at most 10 mistakes in an event that somebody has written (CloudEvents 1.0, 3). */
export function mistakesOf(event: JsonObject): string[] {
  const mistakes = Object.entries(event).flatMap(([name, value]) => {
    if (name === 'data') return [];
    if (!ATTRIBUTE.test(name))
      return [
        `${JSON.stringify(name.slice(0, 50))} is no name of an attribute: it has 1 to 20 lower-case letters and digits; what the event tells belongs under data`,
      ];
    if (isText(name) && typeof value !== 'string') return [`${name} must be a text`];
    const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
    return isScalar ? [] : [`${name} must be a text, a number or a boolean; what the event tells belongs under data`];
  });
  return mistakes.slice(0, MOST_MISTAKES);
}

const isText = (name: string): boolean => ['id', 'type', 'source', 'subject', 'time', 'specversion'].includes(name);

const isServiceType = (type: Json | undefined): type is ServiceEventType =>
  SERVICE_EVENT_TYPES.some((own) => own === type);

/** Returns the sample with the values that a filter requires. */
function merged(sample: Json, asked: Json): Json {
  if (typeof asked === 'string') return PATTERN.test(asked) ? sample : asked;
  if (!isObject(asked)) return asked;
  const base: JsonObject = isObject(sample) ? sample : {};
  return {
    ...base,
    ...Object.fromEntries(
      Object.entries(asked).map(([name, value]) => [name, merged(base[name] ?? '', value ?? null)]),
    ),
  };
}
