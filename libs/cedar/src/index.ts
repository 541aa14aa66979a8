// Decides requests by Cedar policies, fast: policies are compiled from their JSON. Each line is public API.
export { type Decision, type NarrowedPolicies, PolicySet, Slice } from './decision.js';
export { type Entity, type Environment, UnsupportedExpression } from './expression.js';
export { jsonRecord, type NumberSchema } from './json-record.js';
export { compilePolicy, type Policy } from './policy.js';
export type { EntityJson, PolicyJson, ScopeJson } from './policy-json.js';
export { type CedarRecord, CedarSet, Decimal, EntityUid, EvaluationError, recordOf, type Value } from './values.js';
