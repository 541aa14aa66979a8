import { type DocumentNode, kindOf, type ObjectNode } from './document-node.js';
import { programOf, enclosedProgram } from '../templates.js';
import { changedNumberIn } from './changed-number.js';
import type { Findings } from './findings.js';
import { DURATION } from './formats.js';
import { pointerTo } from '../json-pointer.js';
import { problemsOfDefaults, problemsOfSchema } from '#json-schema';
import { listed, quoted } from './quoting.js';
import type {
  CasesShape,
  ChoiceShape,
  ComponentKind,
  DataShape,
  IntegerShape,
  ListShape,
  MapShape,
  Shape,
  TaskListShape,
  TextShape,
} from './shape.js';
import { adviceForPartial } from './partial-expression.js';
import { ObjectCheck } from './object-check.js';
import { secretProblem } from './secret-use.js';
import { didYouMean } from './suggestion.js';
import { TaskCheck } from './task-check.js';
import type { Declared, PartWalker, Place } from './walking.js';

const DIRECTIVES = ['continue', 'exit', 'end'];
const WORDS: Record<ComponentKind, string> = {
  authentications: 'authentication',
  errors: 'error',
  functions: 'function',
  retries: 'retry policy',
  secrets: 'secret',
  timeouts: 'timeout',
};

/** Checks a document against the declarations, part by part. */
export class Walker implements PartWalker {
  private readonly objects = new ObjectCheck(this);
  private readonly tasks = new TaskCheck(this);

  constructor(
    readonly findings: Findings,
    readonly declared: Declared,
    readonly isLoose: boolean,
  ) {}

  check(shape: Shape, node: DocumentNode, place: Place): void {
    if (node.type === 'scalar' && node.isBroken) return;
    if (shape.type === 'data') return this.checkData(shape, node, place);
    if (node.type === 'scalar' && node.value === null) {
      return this.error(place, node, 'is empty: give it a value, or remove it');
    }
    switch (shape.type) {
      case 'text':
        return this.checkText(shape, node, place);
      case 'integer':
        return this.checkInteger(shape, node, place);
      case 'boolean':
        if (node.type === 'scalar' && typeof node.value === 'boolean') return;
        return this.error(place, node, `must be true or false, not ${kindOf(node)}`);
      case 'schema':
        return this.checkSchema(node, place);
      case 'list':
        return this.checkList(shape, node, place);
      case 'map':
        return this.checkMap(shape, node, place);
      case 'object':
        return this.objects.check(shape, node, place);
      case 'choice':
        return this.checkChoice(shape, node, place);
      case 'task':
        return this.tasks.checkTask(node, place);
      case 'tasks':
        return this.tasks.checkTasks(shape satisfies TaskListShape, node, place);
      case 'cases':
        return this.tasks.checkCases(shape satisfies CasesShape, node, place);
    }
  }

  error(place: Place, node: DocumentNode, message: string): void {
    this.findings.report('error', place.path, node.at, message);
  }

  /** Reports a problem with a name, not its value. */
  errorOfName(path: string, at: number, message: string): void {
    this.findings.report('error', path, at, message);
  }

  warn(path: string, at: number, message: string): void {
    this.findings.report('warning', path, at, message);
  }

  inside(place: Place, name: string | number, nameAt: number): Place {
    return { ...place, path: pointerTo(place.path, name), nameAt };
  }

  private checkText(shape: TextShape, node: DocumentNode, place: Place): void {
    if (node.type !== 'scalar' || typeof node.value !== 'string') {
      return this.error(place, node, `must be text, not ${kindOf(node)}${hintForText(shape, node)}`);
    }
    const { value } = node;
    const enclosed = enclosedProgram(value);
    if (shape.expression === 'whole') return this.addExpression(programOf(value), node, place);
    if (shape.expression === 'enclosed' && enclosed !== undefined) return this.addExpression(enclosed, node, place);
    const problem = this.problemOfText(shape, value, place, enclosed !== undefined);
    // A text that is not a valid literal can only be an expression.
    if (shape.expression === 'enclosed' && this.isLoose && problem !== null)
      return this.addExpression(value, node, place);
    if (shape.expression === 'enclosed') this.checkPlainText(value, node, place);
    if (problem !== null) this.error(place, node, problem);
  }

  private problemOfText(shape: TextShape, value: string, place: Place, isExpression: boolean): string | null {
    const { choices, format, names, isTarget, most } = shape;
    if (isExpression && (choices || format || names || isTarget)) return 'cannot be an expression';
    if (choices && !choices.includes(value)) {
      return `must be ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}${didYouMean(value, choices)}`;
    }
    if (names) return this.problemOfReference(names, value);
    if (isTarget) return problemOfTarget(value, place);
    if (most !== undefined && value.length > most) return `must have at most ${most} characters`;
    return format?.problemOf(value) ?? null;
  }

  private problemOfReference(kind: ComponentKind, name: string): string | null {
    this.findings.used[kind].add(name);
    const known = this.declared[kind];
    if (known.has(name) || this.declared.isUncertain) return null;
    if (kind === 'timeouts' && DURATION.problemOf(name) === null)
      return `must be the name of one of use.timeouts: write the time itself as { after: ${name} }`;
    const word = WORDS[kind];
    const declare = `: declare it under use.${kind}`;
    return `there is no ${word} ${quoted(name)}${didYouMean(name, known, declare)}`;
  }

  /** Collects an expression, to be checked with all others. */
  private addExpression(program: string, node: DocumentNode, place: Place): void {
    if (program.trim() === '') return this.error(place, node, 'is an expression without anything in it');
    const problem = secretProblem(program, place, this.declared, this.findings.used.secrets);
    if (problem !== null) return this.error(place, node, problem);
    const change = changedNumberIn(program);
    if (change !== null) this.warn(place.path, node.at, change);
    this.findings.addExpression(program, place.variables, place.path, node.at);
  }

  /** Checks a text that is not an expression as a whole; in loose mode, it may be an expression that fails. */
  private checkPlainText(value: string, node: DocumentNode, place: Place): void {
    const problem = this.isLoose ? secretProblem(value, place, this.declared, this.findings.used.secrets) : null;
    if (problem !== null) return this.error(place, node, problem);
    this.warnOfPartialExpression(value, node, place);
  }

  private warnOfPartialExpression(value: string, node: DocumentNode, place: Place): void {
    const begin = value.indexOf('${');
    if (begin < 0) {
      if (!/\{\{.{1,200}\}\}/.test(value)) return;
      return this.warn(place.path, node.at, 'has {{ }} in it, which stays as it is: an expression is jq in ${ }');
    }
    const isOpen = !value.includes('}', begin);
    const message = isOpen
      ? 'has ${ without } after it, so it is not evaluated: put a text with # or ": " in it in quotes'
      : `has \${ } within other text, which is not evaluated: ${adviceForPartial(value)}`;
    this.warn(place.path, node.at, message);
  }

  private checkInteger(shape: IntegerShape, node: DocumentNode, place: Place): void {
    const { least, most } = shape;
    if (node.type === 'scalar' && typeof node.value === 'string' && shape.expression) {
      const program = this.isLoose ? programOf(node.value) : enclosedProgram(node.value);
      if (program !== undefined) return this.addExpression(program, node, place);
    }
    if (node.type !== 'scalar' || typeof node.value !== 'number' || !Number.isInteger(node.value)) {
      return this.error(
        place,
        node,
        `must be a whole number${shape.expression ? ' or an expression' : ''}, not ${wrongNumber(node)}`,
      );
    }
    if (node.value < least || node.value > most) this.error(place, node, `must be ${least} to ${most}`);
  }

  private checkData(shape: DataShape, node: DocumentNode, place: Place): void {
    if (shape.only === 'object' && node.type !== 'object') {
      const isEmpty = node.type === 'scalar' && node.value === null;
      return this.error(
        place,
        node,
        isEmpty ? 'is empty: give it a value, or remove it' : `must be an object, not ${kindOf(node)}`,
      );
    }
    if (shape.hasExpressions) this.findExpressions(node, place);
  }

  private findExpressions(node: DocumentNode, place: Place): void {
    if (node.type === 'list') {
      node.items.forEach((item, index) => this.findExpressions(item, this.inside(place, index, item.at)));
    } else if (node.type === 'object') {
      for (const [name, member] of node.members)
        this.findExpressions(member.node, this.inside(place, name, member.nameAt));
    } else if (typeof node.value === 'string') {
      const program = enclosedProgram(node.value);
      if (program === undefined) this.checkPlainText(node.value, node, place);
      else this.addExpression(program, node, place);
    }
  }

  private checkSchema(node: DocumentNode, place: Place): void {
    if (node.type !== 'object')
      return this.error(place, node, `must be a JSON Schema, which is an object, not ${kindOf(node)}`);
    const problems = problemsOfSchema(node.value);
    const isValid = problems.every(({ severity }) => severity !== 'error');
    for (const { path, message, severity } of [...problems, ...(isValid ? problemsOfDefaults(node.value) : [])]) {
      this.findings.report(severity, place.path + path, offsetIn(node, path), message);
    }
  }

  private checkList(shape: ListShape, node: DocumentNode, place: Place): void {
    if (node.type !== 'list') return this.error(place, node, `must be a list, not ${kindOf(node)}`);
    if (node.items.length < (shape.least ?? 0)) this.error(place, node, `needs at least ${shape.least}`);
    node.items.forEach((item, index) => this.check(shape.items, item, this.inside(place, index, item.at)));
  }

  private checkMap(shape: MapShape, node: DocumentNode, place: Place): void {
    if (node.type !== 'object') return this.error(place, node, `must be a plain object, not ${kindOf(node)}`);
    const variables = [...place.variables, ...(shape.variables ?? [])];
    for (const [name, member] of node.members) {
      const inside = { ...this.inside(place, name, member.nameAt), variables };
      const problem = shape.names?.problemOf(name) ?? null;
      if (problem === null) this.check(shape.values, member.node, inside);
      else this.errorOfName(inside.path, member.nameAt, `${quoted(name)} ${problem}`);
    }
  }

  private checkChoice(shape: ChoiceShape, node: DocumentNode, place: Place): void {
    const chosen = chosenShape(shape, node);
    if (chosen) return this.check(chosen, node, place);
    const wanted = [
      shape.text && 'text',
      shape.integer && 'a whole number',
      shape.object && 'an object',
      shape.list && 'a list',
    ].filter((word) => word !== undefined);
    this.error(place, node, `must be ${wanted.join(' or ')}, not ${kindOf(node)}`);
  }
}

/** Suggests quotes only where the quoted value would be valid. */
function hintForText({ format }: TextShape, node: DocumentNode): string {
  if (node.type !== 'scalar') return '';
  const problem = format?.problemOf(String(node.value)) ?? null;
  return problem === null ? ': put it in quotes' : `: it ${problem}`;
}

function chosenShape(shape: ChoiceShape, node: DocumentNode): Shape | undefined {
  if (node.type === 'object') return shape.object;
  if (node.type === 'list') return shape.list;
  return typeof node.value === 'number' ? shape.integer : typeof node.value === 'string' ? shape.text : undefined;
}

function problemOfTarget(name: string, { targets, areConcurrent }: Place): string | null {
  if (DIRECTIVES.includes(name) || (!areConcurrent && targets.has(name))) return null;
  if (areConcurrent && targets.has(name)) {
    return 'tasks that run at the same time cannot continue at each other: use continue, exit or end';
  }
  const names = areConcurrent ? [] : [...targets];
  const otherwise = `: use continue, exit or end${names.length > 0 ? `, or one of ${listed(names)}` : ''}`;
  return `there is no task ${quoted(name)} in this list${didYouMean(name, [...names, ...DIRECTIVES], otherwise)}`;
}

function wrongNumber(node: DocumentNode): string {
  return node.type === 'scalar' && typeof node.value === 'number' ? 'a fraction' : kindOf(node);
}

/** Returns the offset of a JSON Pointer's target, or of the last part of the path that exists. */
function offsetIn(node: ObjectNode, pointer: string): number {
  let current: DocumentNode = node;
  for (const segment of pointer.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: DocumentNode | undefined =
      current.type === 'object'
        ? current.members.get(name)?.node
        : current.type === 'list'
          ? current.items[Number(name)]
          : undefined;
    if (!next) break;
    current = next;
  }
  return current.at;
}
