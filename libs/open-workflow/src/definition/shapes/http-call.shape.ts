import { ENDPOINT, HEADER_NAME, HEADER_VALUE, HTTP_METHOD } from '../formats.js';
import { data, dataObject, type ObjectShape, type Shape, text, wholeExpression } from '../shape.js';
import { authentication } from './authentication.shape.js';

const url: Shape = text('The URL; {name} stands for a property of the input.', {
  expression: 'enclosed',
  format: ENDPOINT,
});

export const httpArguments: ObjectShape = {
  type: 'object',
  about: 'The request.',
  properties: {
    method: text('The method of the request.', { expression: 'enclosed', format: HTTP_METHOD }),
    endpoint: {
      type: 'choice',
      about: 'Where the request goes.',
      text: url,
      object: { type: 'object', properties: { uri: url, authentication }, required: ['uri'] },
    },
    headers: {
      type: 'choice',
      about: 'The headers of the request.',
      text: wholeExpression('An expression that gives an object.', 'headers'),
      object: {
        type: 'map',
        names: HEADER_NAME,
        values: text('The value of the header.', { expression: 'enclosed', format: HEADER_VALUE }),
      },
    },
    query: {
      type: 'choice',
      about: 'The query parameters of the request.',
      text: wholeExpression('An expression that gives an object.', 'query'),
      object: dataObject('Query parameters by name.'),
    },
    body: data('The body of the request; objects and lists are sent as JSON.'),
    output: text('What the task outputs: the content, the whole response, or the content as base64.', {
      choices: ['content', 'response', 'raw'],
    }),
    redirect: { type: 'boolean', about: 'Whether a redirect (3xx) counts as success.' },
  },
  required: ['method', 'endpoint'],
};
