// JSON Schemas that others write: checked, compiled each by itself, and bounded in the time that they take. Each line is public API.
export { compileJsonSchema } from './compile-json-schema.js';
export { isCheapPattern, mayTakeLong, withinTime } from './schema-cost.js';
export { problemsOfSchema } from './schema-problems.js';
