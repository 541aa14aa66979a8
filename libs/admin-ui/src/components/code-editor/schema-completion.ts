import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { keysAt, type Suggestion, valuesAt } from '../../json-schema/suggestions';
import type { Json } from '../../mcp/json-rpc';
import { placeAt, valueBeside } from '../../yaml/yaml-place';

/** Suggests keys and values for a YAML document that a JSON Schema describes; null = not known yet. */
export const schemaCompletion =
  (root: Json | null) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos);
    const lines = state.doc.toString().split('\n');
    const at = { line: line.number - 1, column: pos - line.from };
    const place = root && placeAt(lines, at.line, at.column);
    if (!place || (!explicit && place.typed === '')) return null;
    const called = valueBeside(lines, { ...at, key: 'with', beside: 'call' });
    const choice = called === null ? null : { below: 'with', key: 'call', value: called };
    const suggestions =
      place.kind === 'key' ? keysAt(root, place.path, place.siblings, choice) : valuesAt(root, place.path, choice);
    return {
      from: pos - place.typed.length,
      options: suggestions.map((one) => toCompletion(one, place.kind)),
      validFor: /^[\w$.-]*$/,
    };
  };

function toCompletion({ label, description, isRequired, isNested }: Suggestion, kind: 'key' | 'value') {
  return {
    label,
    type: kind === 'key' ? 'property' : 'enum',
    ...(kind === 'key' && { apply: isNested ? `${label}:` : `${label}: ` }),
    ...(isRequired && { detail: 'required', boost: 1 }),
    ...(description !== null && { info: description }),
  };
}
