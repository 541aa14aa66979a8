import { ANY_TEXT, ERROR_INSTANCE, ERROR_TYPE, VARIABLE } from '../formats.js';
import { expression, type ObjectShape, type Shape, text } from '../shape.js';
import { duration } from './durations.shape.js';

const words = (about: string) => text(about, { expression: 'enclosed', most: 2000 });

/** A problem (RFC 7807) to raise. */
export const raisedError: ObjectShape = {
  type: 'object',
  about: 'The error to raise (RFC 7807).',
  properties: {
    type: text('A URI that says what sort of error it is.', { expression: 'enclosed', format: ERROR_TYPE }),
    status: { type: 'integer', about: 'An HTTP status code that fits.', least: 100, most: 599, expression: 'enclosed' },
    title: words('What went wrong, in a few words.'),
    detail: words('What went wrong this time.'),
    instance: text('JSON Pointer of the task; by default, that of the task that raises.', {
      expression: 'enclosed',
      format: ERROR_INSTANCE,
    }),
  },
  required: ['type', 'status'],
};

const FILTER = ['type', 'status', 'title', 'detail', 'instance'];

const errorFilter: ObjectShape = {
  type: 'object',
  about: 'What an error must have to be caught.',
  properties: {
    type: text('The type of the error.', { format: ERROR_TYPE }),
    status: { type: 'integer', about: 'The status of the error.', least: 100, most: 599 },
    title: text('The title of the error.', { format: ANY_TEXT, most: 2000 }),
    detail: text('The detail of the error.', { format: ANY_TEXT, most: 2000 }),
    instance: text('JSON Pointer of the task that failed.', { format: ANY_TEXT, most: 2000 }),
  },
  atLeastOne: FILTER,
};

export const retryPolicy: ObjectShape = {
  type: 'object',
  about: 'How to try again.',
  properties: {
    when: expression('Tries again only if this is true.'),
    exceptWhen: expression('Does not try again if this is true.'),
    delay: duration('How long to wait before trying again.'),
    backoff: {
      type: 'object',
      about: 'How the delay grows.',
      properties: {
        constant: { type: 'object', about: 'The delay stays the same.', properties: {} },
        linear: { type: 'object', about: 'The delay grows by itself.', properties: {} },
        exponential: { type: 'object', about: 'The delay doubles.', properties: {} },
      },
      exactlyOne: ['constant', 'linear', 'exponential'],
    },
    limit: {
      type: 'object',
      about: 'When to give up.',
      properties: {
        attempt: {
          type: 'object',
          properties: { count: { type: 'integer', about: 'How often to try again.', least: 1, most: 1000 } },
          refused: { duration: 'is not supported yet: put a timeout on the task that is tried' },
        },
        duration: duration('How long to continue trying.'),
      },
      atLeastOne: ['attempt', 'duration'],
    },
    jitter: {
      type: 'object',
      about: 'A random time that is added to the delay.',
      properties: { from: duration('At least.'), to: duration('At most.') },
      required: ['from', 'to'],
    },
  },
  check(node, report) {
    if (node.members.has('limit')) return;
    report([], 'has no limit, so it may try again for ever: set limit.attempt.count', 'warning');
  },
};

export const catching: ObjectShape = {
  type: 'object',
  about: 'Which errors are caught, and what is done about them.',
  properties: {
    errors: { type: 'object', properties: { with: errorFilter }, required: ['with'] },
    as: text('The name of the variable with the error.', { format: VARIABLE }),
    when: expression('Catches only if this is true.'),
    exceptWhen: expression('Does not catch if this is true.'),
    retry: {
      type: 'choice',
      text: text('The name of one of use.retries.', { names: 'retries' }),
      object: retryPolicy,
    },
    do: { type: 'tasks', about: 'What to do about the error.', least: 0 },
    then: text('Where the flow continues after an error.', { isTarget: true }),
  },
  variablesIn: (_property, { as }) => [typeof as === 'string' ? as : 'error'],
};

export const raisable: Shape = {
  type: 'choice',
  text: text('The name of one of use.errors.', { names: 'errors' }),
  object: raisedError,
};
