import * as cedarSchema from '../../src/entrypoints/admin/policies/cedar-schema.rules.js';
import * as cedarText from '../../src/entrypoints/admin/policies/cedar-text.rules.js';
import * as uriTemplate from '../../src/core/resources/uri-template.rules.js';
import type { Entry } from './entry.js';

const INNER = 'resource.name == "x"';

export const POLICY_RULES: Record<string, Record<string, Entry>> = {
  'src/entrypoints/admin/policies/cedar-text.rules.ts': {
    nestingOf: (text) => cedarText.nestingOf(text),
    placeOfByte: (text) => cedarText.placeOfByte(text, text.length),
    placeOfEntity: [
      (text) => cedarText.placeOfEntity(text, 'Tool', 'a'),
      (text) => cedarText.placeOfEntity(INNER, 'Tool', text),
    ],
    placeOfText: [(text) => cedarText.placeOfText(text, 'a'), (text) => cedarText.placeOfText(INNER, text)],
  },
  'src/entrypoints/admin/policies/cedar-schema.rules.ts': {
    cedarSchemaOf: [
      (text) => cedarSchema.cedarSchemaOf({ type: 'object', properties: { [text]: { type: 'string' } } }),
      (text) => cedarSchema.cedarSchemaOf({ type: 'object', required: [text], properties: { a: { type: text } } }),
    ],
  },
  'src/core/resources/uri-template.rules.ts': {
    expandTemplate: [
      (text) => uriTemplate.expandTemplate(text, 'a', { a: 'b' }),
      (text) => uriTemplate.expandTemplate('memory://{namespace}/{key}', 'key', { namespace: text, key: text }),
    ],
  },
};
