// Parses untrusted JSON within limits. Each line is public API.
export {
  type BoundedJson,
  isObject,
  isStorable,
  placeOfUnstorable,
  mayHoldUnstorable,
  parseBoundedJson,
  parsedOrNull,
  storableText,
  storableValue,
  valueCountOf,
} from './bounded-json.js';
