import { Injectable } from '@nestjs/common';
import { compilePolicy, type EntityJson, type PolicyJson, UnsupportedExpression } from '#cedar';
import type { SkillKind } from '#skill-kit';
import { RESERVED_CLIENTS } from '../../../access/clients/client.js';
import { accountOf } from '../../../access/clients/person.js';
import { ClientsService } from '../../../access/clients/clients.service.js';
import type { FieldProblem } from '../../../platform/errors/app-error.js';
import { APPROVER, DEFAULT_QUESTION, REQUIRE_APPROVAL } from '../../../access/policy/decisions.js';
import { LONGEST_POLICY } from '../../../access/policy/policy.js';
import { WorkflowDefinitions } from '../../../features/workflows/definitions/workflow-definitions.service.js';
import { PromptRegistry } from '../../../core/skills/prompt.registry.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { JobAborted } from '../../../platform/threads/threads.errors.js';
import { cedarSchemaOf } from './cedar-schema.rules.js';
import { nestingOf, placeOfByte, placeOfEntity, placeOfText, type TextPlace } from './cedar-text.rules.js';
import type { CedarProblem } from './cedar-reader.js';
import { PolicyReader } from './policy-reader.service.js';

const DEEPEST_BRACKETS = 32;
/** Maximum depth of the JSON of a policy: compiling and evaluating recurse as deep. */
const DEEPEST_JSON = 400;
const MOST_PROBLEMS = 20;

/** An error or a warning about a policy, at its place in the text. */
export type PolicyProblem = Required<FieldProblem>;

/** The result of a check: the JSON of a usable policy, errors, and warnings. */
export interface CheckedPolicy {
  compiled: PolicyJson | null;
  errors: PolicyProblem[];
  warnings: PolicyProblem[];
}

/** Checks policies before they are saved: syntax, types, names, and whether they can ever apply. */
@Injectable()
export class PolicyChecker {
  constructor(
    private readonly reader: PolicyReader,
    private readonly skills: SkillRegistry,
    private readonly prompts: PromptRegistry,
    private readonly clients: ClientsService,
    private readonly workflows: WorkflowDefinitions,
  ) {}

  /** @throws ThreadStopped */
  async check(policy: string): Promise<CheckedPolicy> {
    if (policy.length > LONGEST_POLICY) return refused(`it has more than ${LONGEST_POLICY} characters: split it`);
    const nesting = nestingOf(policy);
    if (nesting > DEEPEST_BRACKETS)
      return refused(
        `its brackets are nested ${nesting} deep, and at most ${DEEPEST_BRACKETS} are allowed: simplify it`,
      );
    try {
      return await this.read(policy);
    } catch (error) {
      if (error instanceof JobAborted) return refused('it is too complex to be read: simplify it, or split it');
      throw error;
    }
  }

  private async read(policy: string): Promise<CheckedPolicy> {
    const toProblem = ({ message, byte }: CedarProblem) => problemAt(placeOfByte(policy, byte), message);
    const parsed = await this.reader.parse(policy);
    if ('problems' in parsed) return { compiled: null, errors: parsed.problems.map(toProblem), warnings: [] };
    const { json } = parsed;
    if (depthOf(json) > DEEPEST_JSON) return refused('it is nested too deep: simplify it, or split it');
    const { errors, warnings } = await this.reader.validate(policy, cedarSchemaOf(this.argumentsOf(json)));
    const problems = [
      ...errors.map(toProblem),
      ...this.unknownNames(policy, json),
      ...approverProblems(json),
      ...unsupported(json),
    ];
    return {
      compiled: problems.length === 0 ? json : null,
      errors: problems.slice(0, MOST_PROBLEMS),
      warnings: [...warnings.map(toProblem), ...annotationWarnings(json), ...kindWarnings(policy, json)].slice(
        0,
        MOST_PROBLEMS,
      ),
    };
  }

  /** Returns the input schema of the one tool that a policy is about; null when it covers others, too. */
  private argumentsOf({ resource: { op, entity } }: PolicyJson) {
    const uid = op === '==' && entity && ('__entity' in entity ? entity.__entity : entity);
    return (uid && uid.type === 'Tool' && this.skills.find(uid.id)?.inputSchema) || null;
  }

  private unknownNames(policy: string, json: PolicyJson): PolicyProblem[] {
    return entitiesIn(json).flatMap(({ type, id }) => {
      const known = this.knownOf(type);
      if (!known || known.includes(id)) return [];
      const similar = known
        .filter((name) => name.toLowerCase() === id.toLowerCase() || name.startsWith(id))
        .slice(0, 3);
      const hint = similar.length > 0 ? `: is it ${similar.join(' or ')}?` : '';
      return [problemAt(placeOfEntity(policy, type, id), `there is no ${type} ${JSON.stringify(id)}${hint}`)];
    });
  }

  private knownOf(type: string): string[] | null {
    switch (type) {
      case 'Tool':
        // A step can also start a workflow that is not a tool, because events start it.
        return [...new Set([...this.skills.list().map(({ name }) => name), ...this.workflows.listNames()])];
      case 'Prompt':
        return this.prompts.list().map(({ name }) => name);
      case 'Group':
        return this.clients.groups();
      case 'Client':
        return [...RESERVED_CLIENTS, ...this.clients.list().map(({ name }) => name)];
      case 'Person':
        return this.clients.listPeople().flatMap(({ name }) => accountOf(name) ?? []);
      default:
        return null;
    }
  }
}

const KNOWN_ANNOTATIONS = new Set(['id', 'description', 'advice', REQUIRE_APPROVAL, APPROVER]);
const APPROVERS = ['user', 'administrator'];

function annotationWarnings(json: PolicyJson): PolicyProblem[] {
  const { annotations = {}, effect } = json;
  const start = { line: 1, column: 1 };
  const unknown = Object.keys(annotations).filter((name) => !KNOWN_ANNOTATIONS.has(name));
  return [
    ...unknown.map((name) => problemAt(start, `the annotation @${name} has no effect`)),
    ...(effect === 'forbid' && REQUIRE_APPROVAL in annotations
      ? [problemAt(start, `@${REQUIRE_APPROVAL} has no effect on a policy that forbids`)]
      : []),
    ...(effect === 'permit' && REQUIRE_APPROVAL in annotations && !isAboutCallsOnly(json)
      ? [
          problemAt(
            start,
            `@${REQUIRE_APPROVAL} has a person asked before calls only: reads and prompts that this policy permits are ` +
              'not confirmed. Write action == Action::"callTool", and permit them, if at all, by another policy',
          ),
        ]
      : []),
    ...(APPROVER in annotations && !(REQUIRE_APPROVAL in annotations)
      ? [problemAt(start, `@${APPROVER} has no effect without @${REQUIRE_APPROVAL}`)]
      : []),
    ...(annotations[REQUIRE_APPROVAL]?.trim() === '' || annotations[REQUIRE_APPROVAL] === null
      ? [problemAt(start, `@${REQUIRE_APPROVAL} without a text asks "${DEFAULT_QUESTION}"`)]
      : []),
  ];
}

function isAboutCallsOnly({ action, resource }: PolicyJson): boolean {
  const actions = entitiesIn(action);
  const isOfTools = resource.entity_type === 'Tool' || entitiesIn(resource).some(({ type }) => type === 'Tool');
  return isOfTools || (actions.length > 0 && actions.every(({ id }) => id === 'callTool'));
}

const KINDS: readonly string[] = ['code', 'workflow', 'module'] satisfies SkillKind[];
const KIND_OF_RESOURCE = JSON.stringify({ '.': { left: { Var: 'resource' }, attr: 'kind' } });

function kindWarnings(policy: string, json: PolicyJson): PolicyProblem[] {
  const unknown = comparedKinds(json).filter((kind) => !KINDS.includes(kind));
  return unknown.map((kind) =>
    problemAt(
      placeOfText(policy, kind),
      `there is no kind ${JSON.stringify(kind)} of tools: write one of ${KINDS.join(', ')}`,
    ),
  );
}

/** Returns the strings with which a policy compares `resource.kind`. */
function comparedKinds(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const { left, right } = json as Record<string, unknown>;
  if (JSON.stringify(left) === KIND_OF_RESOURCE) return textsIn(right);
  if (JSON.stringify(right) === KIND_OF_RESOURCE) return textsIn(left);
  return Object.values(json).flatMap(comparedKinds);
}

/** Returns the string of a literal, or the strings of a set. */
function textsIn(expression: unknown): string[] {
  const { Value: value, Set: members } = expression as Record<string, unknown>;
  if (Array.isArray(members)) return members.flatMap(textsIn);
  return typeof value === 'string' ? [value] : [];
}

function approverProblems({ annotations = {} }: PolicyJson): PolicyProblem[] {
  if (!(APPROVER in annotations) || APPROVERS.includes(annotations[APPROVER] ?? '')) return [];
  return [problemAt({ line: 1, column: 1 }, `@${APPROVER} is "user" or "administrator"`)];
}

function unsupported(json: PolicyJson): PolicyProblem[] {
  try {
    compilePolicy('policy', json);
    return [];
  } catch (error) {
    if (error instanceof UnsupportedExpression) return [problemAt({ line: 1, column: 1 }, error.message)];
    throw error;
  }
}

function entitiesIn(json: unknown): EntityJson[] {
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.flatMap(entitiesIn);
  const { type, id } = json as Record<string, unknown>;
  if (typeof type === 'string' && typeof id === 'string' && Object.keys(json).length === 2) return [{ type, id }];
  return Object.values(json).flatMap(entitiesIn);
}

function depthOf(json: unknown): number {
  let depth = 0;
  for (let level: unknown[] = [json]; level.length > 0; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
  return depth;
}

const problemAt = ({ line, column }: TextPlace, message: string): PolicyProblem => ({
  path: 'policy',
  message,
  line,
  column,
});

const refused = (message: string): CheckedPolicy => ({
  compiled: null,
  errors: [problemAt({ line: 1, column: 1 }, message)],
  warnings: [],
});
