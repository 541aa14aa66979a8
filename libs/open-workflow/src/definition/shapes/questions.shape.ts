import { ANSWER_EVENT } from '../../durable-steps.js';
import type { ObjectNode } from '../document-node.js';
import { ANY_NAME, type Format } from '../formats.js';
import { type ObjectShape, type Report, text } from '../shape.js';

const KINDS = ['string', 'number', 'integer', 'boolean'];
/** Clients that ask their person refuse others. */
const FORMATS = ['email', 'uri', 'date', 'date-time'];
const MOST_FIELDS = 50;
const NOT_BLANK: Format = {
  problemOf: (message) => (message.trim() === '' ? 'must say what the person is asked' : null),
};

/** The metadata of a listen task, which contain the question for a person. */
export const listenMetadata: ObjectShape = {
  type: 'object',
  about: `Further information; with the event type ${ANSWER_EVENT}, the question for a person.`,
  properties: {
    question: {
      type: 'object',
      about: 'What a person is asked.',
      properties: {
        message: text('The question.', { expression: 'enclosed', format: NOT_BLANK }),
        schema: { type: 'schema', about: 'JSON Schema of the answer: an object with primitive properties.' },
        notCaller: { type: 'boolean', about: 'Whether only others than who started the run may answer.' },
      },
      required: ['message', 'schema'],
      check: checkForm,
    },
  },
  others: { names: ANY_NAME, values: { type: 'data', hasExpressions: false } },
};

function checkForm(question: ObjectNode, report: Report): void {
  const schema = memberAt(question, ['schema']);
  if (!schema) return;
  const fields = memberAt(schema, ['properties']);
  if (schema.value['type'] !== 'object' || !fields) {
    return report(['schema'], 'must have type: object and properties, from which the form is made');
  }
  if (fields.members.size > MOST_FIELDS) report(['schema', 'properties'], `must have at most ${MOST_FIELDS} fields`);
  for (const [name, { node }] of fields.members) {
    const { type: kind, format = null } = node.type === 'object' ? node.value : {};
    if (typeof kind !== 'string' || !KINDS.includes(kind)) {
      const wanted = `must have a type of ${KINDS.join(', ')}: a form has no fields within fields`;
      report(['schema', 'properties', name], wanted);
    } else if (format !== null && !FORMATS.some((known) => known === format)) {
      const wanted = `should be one of ${FORMATS.join(', ')}: with others, only the administration has a form`;
      report(['schema', 'properties', name, 'format'], wanted, 'warning');
    }
  }
}

/** Checks that a listen task asks a question if and only if it listens for an answer. */
export function checkQuestion(task: ObjectNode, report: Report): void {
  const type = memberAt(task, ['listen', 'to', 'one', 'with'])?.value['type'];
  const hasQuestion = memberAt(task, ['metadata'])?.members.has('question') === true;
  if (type === ANSWER_EVENT && !hasQuestion) {
    report([], 'needs metadata.question with message and schema: what a person is asked');
  }
  if (type !== ANSWER_EVENT && type !== undefined && hasQuestion) {
    const message = `is asked only by a listen task for the event type ${ANSWER_EVENT}, and this one listens for another`;
    report(['metadata', 'question'], message, 'warning');
  }
}

function memberAt(node: ObjectNode, path: readonly string[]): ObjectNode | undefined {
  let current = node;
  for (const name of path) {
    const next = current.members.get(name)?.node;
    if (next?.type !== 'object') return undefined;
    current = next;
  }
  return current;
}
