// Untrusted JSON Schemas: checked, compiled in isolation, and validated within a time limit. Each line is public API.
export { compileJsonSchema } from './compile-json-schema.js';
export { problemsOfDefaults } from './default-problems.js';
export { isCheapPattern, mayTakeLong, withinTime } from './schema-cost.js';
export { problemsOfSchema } from './schema-problems.js';
export { withDefaults } from './with-defaults.js';
