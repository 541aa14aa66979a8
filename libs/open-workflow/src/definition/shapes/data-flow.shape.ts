import { nodeAt, type ObjectNode } from '../document-node.js';
import { type ChoiceShape, dataObject, expression, type ObjectShape, type Report, text } from '../shape.js';

const transformation = (about: string): ChoiceShape => ({
  type: 'choice',
  about,
  text: expression('An expression.'),
  object: dataObject('An object in which ${ } texts are expressions.'),
});

const schema = (about: string): ObjectShape => ({
  type: 'object',
  about,
  properties: {
    format: text('json, which is the default.', {
      format: {
        pattern: '^json(?::.*)?$',
        examples: ['json'],
        problemOf: (value) =>
          /^json(?::.{0,50})?$/.test(value) ? null : 'must be json: other formats are not supported',
      },
    }),
    document: { type: 'schema', about: 'The JSON Schema (2020-12).' },
  },
  required: ['document'],
  refused: {
    resource: 'schemas are not loaded from elsewhere: write the schema under document',
  },
});

export const input: ObjectShape = {
  type: 'object',
  about: 'What comes in.',
  properties: {
    schema: schema('What the input must be.'),
    from: transformation('Makes the input of what comes in.'),
  },
};

export const workflowInput: ObjectShape = {
  ...input,
  about: 'The arguments of the tool that the workflow is, or the list with the event that starts it.',
};

/** The input of a workflow is an object of tool arguments, or a list with the event that starts it. */
export function checkInputSchema(workflow: ObjectNode, startsByEvent: boolean, report: Report): void {
  const path = ['input', 'schema', 'document'];
  const document = nodeAt(workflow, path);
  if (document?.type !== 'object') return;
  const { type } = document.value;
  const at = document.members.has('type') ? [...path, 'type'] : path;
  if (!startsByEvent) {
    if (type !== 'object') report(at, 'must have type: object, because the arguments of a tool are an object');
  } else if (type !== undefined && ![type].flat().includes('array')) {
    report(at, 'must be array, because an event starts the workflow (schedule.on), and the input is a list with it');
  }
}

export const output: ObjectShape = {
  type: 'object',
  about: 'What goes out.',
  properties: {
    schema: schema('What the output must be.'),
    as: transformation('Makes the output of what came out.'),
  },
};

export const exported: ObjectShape = {
  type: 'object',
  about: 'What is kept in $context for later tasks.',
  properties: {
    schema: schema('What the context must be.'),
    as: transformation('Makes the new $context.'),
  },
  variablesIn: (property) => (property === 'as' ? ['output'] : []),
};
