import { type ChoiceShape, dataObject, expression, type ObjectShape, text } from '../shape.js';

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

/** The input of a workflow is the arguments of a tool, which are an object. */
export const workflowInput: ObjectShape = {
  ...input,
  about: 'The arguments of the tool that the workflow is.',
  check(node, report) {
    const declared = node.members.get('schema')?.node;
    const document = declared?.type === 'object' ? declared.members.get('document')?.node : undefined;
    if (document?.type !== 'object' || document.value['type'] === 'object') return;
    const path = document.members.has('type') ? ['schema', 'document', 'type'] : ['schema', 'document'];
    report(path, 'must have type: object, because the arguments of a tool are an object');
  },
};

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
