// Parses untrusted JSON within limits. Each line is public API.
export { type BoundedJson, parseBoundedJson, valueCountOf } from './bounded-json.js';
export { isStorable, mayHoldUnstorable, storableText, storableValue } from './storable.js';
