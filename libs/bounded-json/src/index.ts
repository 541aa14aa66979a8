// JSON from strangers, within limits. Each line is public API.
export { type BoundedJson, parseBoundedJson } from './bounded-json.js';
