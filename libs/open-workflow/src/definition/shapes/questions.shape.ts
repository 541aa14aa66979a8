import { ANSWER_EVENT } from '../../durable-steps.js';
import type { ObjectNode } from '../document-node.js';
import { quoted } from '../quoting.js';
import type { Report } from '../shape.js';
import { didYouMean } from '../suggestion.js';

const KINDS = ['string', 'number', 'integer', 'boolean'];
const PARTS = ['message', 'schema'];
const MOST_FIELDS = 50;

/** Checks what a listen task asks a person: `metadata.question`. */
export function checkQuestion(task: ObjectNode, report: Report): void {
  const type = memberAt(task, ['listen', 'to', 'one', 'with'])?.value['type'];
  const metadata = memberAt(task, ['metadata']);
  const question = metadata?.members.get('question')?.node;
  const path = ['metadata', 'question'];
  if (type !== ANSWER_EVENT) {
    if (question) {
      report(
        path,
        `is asked only by a listen task for the event type ${ANSWER_EVENT}, and this one listens for another`,
        'warning',
      );
    }
    return;
  }
  if (question?.type !== 'object') {
    const missing = 'needs metadata.question with message and schema: what a person is asked';
    return report(question ? path : [], missing);
  }
  const unknown = [...question.members.keys()].filter((name) => !PARTS.includes(name));
  for (const name of unknown) {
    const hint = didYouMean(name, PARTS, ': a question has message and schema');
    report([...path, name], `unknown property ${quoted(name)}${hint}`);
  }
  if (unknown.length > 0) return;
  const { message, schema } = question.value;
  if (typeof message !== 'string' || message.trim() === '') {
    report([...path, 'message'], 'must be text: what the person is asked');
  }
  const fields = memberAt(question, ['schema', 'properties']);
  if (memberAt(question, ['schema'])?.value['type'] !== 'object' || !fields) {
    return report(
      [...path, ...(schema === undefined ? [] : ['schema'])],
      'needs a schema with type: object and properties, from which the form is made',
    );
  }
  if (fields.members.size > MOST_FIELDS)
    report([...path, 'schema', 'properties'], `must have at most ${MOST_FIELDS} fields`);
  for (const [name, { node }] of fields.members) {
    const kind = node.type === 'object' ? node.value['type'] : undefined;
    if (typeof kind === 'string' && KINDS.includes(kind)) continue;
    const wanted = `must have a type of ${KINDS.join(', ')}: a form has no fields within fields`;
    report([...path, 'schema', 'properties', name], wanted);
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
