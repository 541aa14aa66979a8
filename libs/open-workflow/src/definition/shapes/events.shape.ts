import { enclosedProgram, textsOf } from '../../templates.js';
import type { ObjectNode } from '../document-node.js';
import { ERROR_TYPE, EVENT_ATTRIBUTE, EVENT_FILTER, type Format } from '../formats.js';
import { data, type ObjectShape, type Report, type Shape, text } from '../shape.js';

function attributes(format: Format | undefined): Record<string, Shape> {
  const attribute = (about: string) => text(about, { expression: 'enclosed', most: 2000, ...(format && { format }) });
  return {
    id: attribute('Identifies the event together with its source.'),
    source: attribute('Where the event comes from, a URI.'),
    type: attribute('What has happened.'),
    time: attribute('When it happened (RFC 3339).'),
    subject: attribute('What it is about.'),
    datacontenttype: attribute('The media type of data.'),
    dataschema: attribute('The URI of the schema of data.'),
    data: data('What the event says.'),
  };
}

const extension = (format?: Format): Shape => ({
  type: 'choice',
  text: text('An extension attribute.', { expression: 'enclosed', most: 2000, ...(format && { format }) }),
  integer: { type: 'integer', least: -2_147_483_648, most: 2_147_483_647 },
});

export const emittedEvent: ObjectShape = {
  type: 'object',
  about: 'The event to send.',
  properties: {
    with: {
      type: 'object',
      about: 'The attributes of the CloudEvent.',
      properties: {
        ...attributes(undefined),
        source: text('Where the event comes from, a URI.', { expression: 'enclosed', format: ERROR_TYPE }),
      },
      required: ['type'],
      others: { names: EVENT_ATTRIBUTE, values: extension() },
    },
  },
  required: ['with'],
};

const filter = (check: (node: ObjectNode, report: Report) => void): ObjectShape => ({
  type: 'object',
  about: 'Which event is heard.',
  properties: {
    with: {
      type: 'object',
      about: 'What the event must have, by attribute: equal text, or a regular expression for all of it.',
      properties: attributes(EVENT_FILTER),
      others: { names: EVENT_ATTRIBUTE, values: extension(EVENT_FILTER) },
      check(node, report) {
        if (node.members.size === 0) report([], 'must name at least one attribute, such as type');
        check(node, report);
      },
    },
  },
  required: ['with'],
  refused: {
    correlate: 'correlation is not supported yet: compare the data with an expression under with.data',
  },
});

const one = (about: string, filtered: ObjectShape, others: string): ObjectShape => ({
  type: 'object',
  about,
  properties: { one: filtered },
  required: ['one'],
  refused: { all: others, any: others, until: others },
});

/** The events that a task listens for. */
export const consumption = one(
  'Which events are heard.',
  filter(() => undefined),
  'is not supported yet: listen for one event; several tasks can listen at the same time in a fork',
);

export const trigger = one(
  'The event that starts a run.',
  filter(checkTrigger),
  'is not supported yet: one event starts a run, which can listen for others; for alternatives, save workflows that run this one',
);

/** No run exists yet to evaluate expressions, except one over the data of the event. */
function checkTrigger(node: ObjectNode, report: Report): void {
  for (const [name, value] of Object.entries(node.value)) {
    if (name === 'data' && typeof value === 'string') continue;
    if (!textsOf(value ?? null).some((text) => enclosedProgram(text) !== undefined)) continue;
    const message = 'has an expression, which is not evaluated here: write the text itself or a regular expression';
    report([name], `${message}; only all of data can be an expression, such as data: '\${ .n == 2 }'`);
  }
  const { data: expected } = node.value;
  if (typeof expected === 'string' && LOOKS_LIKE_JQ.test(expected))
    report(['data'], `is compared as text: write an expression as data: '\${ ${expected.slice(0, 60)} }'`, 'warning');
}

/** A path such as `.order.total` at the beginning of a text that is not an expression. */
const LOOKS_LIKE_JQ = /^\s*\.[a-z_]/i;

export const reading: Shape = text('What is taken of an event: its data, or the event as a whole.', {
  choices: ['data', 'envelope', 'raw'],
});
