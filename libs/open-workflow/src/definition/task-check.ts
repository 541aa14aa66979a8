import { type DocumentNode, isText, kindOf, type Member, nodeAt, type ObjectNode } from './document-node.js';
import type { Json } from '../json.js';
import { enclosedProgram, textsOf } from '../templates.js';
import { pointerTo } from '../json-pointer.js';
import { listed, quoted } from './quoting.js';
import type { CasesShape, TaskListShape } from './shape.js';
import { REFUSED_CALLS, shapeOfTask, TASK_BASE, TASK_KINDS } from './shapes/tasks.shape.js';
import { suggestionFor } from './suggestion.js';
import type { PartWalker, Place } from './walking.js';

const MOST_TASKS = 1_000;
const DIRECTIVES = new Set(['continue', 'exit', 'end']);
const KINDS = Object.keys(TASK_KINDS);

/** Task names of other languages, and the DSL's equivalent. */
const OF_OTHER_LANGUAGES: Readonly<Record<string, string>> = {
  ...forEach(['parallel', 'branches'], 'what happens at the same time is a fork, with a list of branches'),
  ...forEach(['steps', 'sequence', 'tasks', 'actions'], 'a list of tasks is under do'),
  ...forEach(['foreach', 'forEach', 'loop', 'repeat'], 'a loop is a for, with each and in, and the tasks under do'),
  ...forEach(['action', 'uses', 'tool', 'skill', 'function', 'functionRef'], 'call the skill by its name: call'),
  ...forEach(
    ['script', 'code', 'shell', 'command'],
    'there are no scripts: use set with jq expressions, or call a skill',
  ),
  ...forEach(['sleep', 'delay', 'pause'], 'use wait, such as wait: PT5S'),
  ...forEach(['condition', 'choice', 'when'], 'use switch, or if on the task that depends on it'),
  ...forEach(['http', 'request', 'url'], 'use call: http, with method and endpoint under with'),
  ...forEach(['approval', 'human', 'ask', 'prompt'], 'to ask a person, listen for the event person.answered'),
};

export class TaskCheck {
  private tasks = 0;

  constructor(private readonly walker: PartWalker) {}

  checkTasks(shape: TaskListShape, node: DocumentNode, place: Place): void {
    if (node.type !== 'list') {
      const hint = node.type === 'object' ? ': write "- " before the name of each task' : '';
      return this.walker.error(place, node, `must be a list of tasks, not ${kindOf(node)}${hint}`);
    }
    if (node.items.length < shape.least) return this.walker.error(place, node, 'needs at least one task');
    if (node.items.length === 0) this.walker.warn(place.path, place.nameAt, 'has no tasks, so it does nothing');
    const targets = namesIn(node.items);
    const areConcurrent = shape.areConcurrent === true;
    this.checkEntries(node.items, place, 'task', (name, member, inside) => {
      if (DIRECTIVES.has(name)) {
        this.walker.errorOfName(
          inside.path,
          member.nameAt,
          `${quoted(name)} says where the flow continues, so it cannot name a task`,
        );
      }
      this.checkTask(member.node, { ...inside, targets, areConcurrent });
    });
  }

  checkCases(shape: CasesShape, node: DocumentNode, place: Place): void {
    if (node.type !== 'list') {
      const hint = node.type === 'object' ? ': write "- " before the name of each case' : '';
      return this.walker.error(place, node, `must be a list of cases, not ${kindOf(node)}${hint}`);
    }
    if (node.items.length === 0) return this.walker.error(place, node, 'needs at least one case');
    let hasDefault = false;
    this.checkEntries(node.items, place, 'case', (_name, member, inside) => {
      this.walker.check(shape.values, member.node, inside);
      const isDefault = member.node.type === 'object' && [...member.node.members.keys()].join() === 'then';
      if (isDefault && hasDefault) {
        const message = 'is a second case without when: only one case can apply when no other does';
        this.walker.errorOfName(inside.path, member.nameAt, message);
      }
      hasDefault ||= isDefault;
    });
  }

  checkTask(node: DocumentNode, place: Place): void {
    this.tasks += 1;
    if (this.tasks > MOST_TASKS) {
      const message = `the workflow has more than ${MOST_TASKS} tasks: move some of them to another workflow, and run that`;
      if (this.tasks === MOST_TASKS + 1) this.walker.errorOfName(place.path, place.nameAt, message);
      return;
    }
    if (node.type === 'scalar' && node.isBroken) return;
    if (node.type !== 'object') return this.walker.error(place, node, notATask(node));
    const kinds = kindsOf(node);
    const [kind, other] = kinds;
    if (kind === undefined) return this.reportKindless(node, place);
    if (other !== undefined) {
      const at = node.members.get(other)?.nameAt ?? node.at;
      const message = `the task has both "${kind}" and "${other}": a task does one thing, so make it two tasks`;
      return this.walker.errorOfName(pointerTo(place.path, other), at, message);
    }
    const called = node.members.get('call')?.node;
    if (kind === 'call' && called && isText(called) && !this.checkCall(called.value, called, node, place)) return;
    const hasDeadline = place.hasDeadline || node.members.has('timeout') || isRace(node);
    if (kind === 'run') this.noteSubflow(node, place);
    if (kind === 'emit') this.noteEvent(node, place);
    if (kind === 'listen' && !hasDeadline) this.warnOfEndlessWait(node, place);
    const shape = shapeOfTask(kind, called?.value);
    const isOwn = typeof called?.value === 'string' && this.walker.declared.functions.has(called.value);
    // Arguments of the workflow's own functions are stored data.
    this.walker.check(isOwn ? { ...shape, secretsIn: [] } : shape, node, { ...place, hasDeadline });
  }

  /** Checks the function that a task calls. Returns whether the rest of the task is worth checking. */
  private checkCall(name: string, called: DocumentNode, task: ObjectNode, place: Place): boolean {
    if (name === 'http') return true;
    const inside = this.walker.inside(place, 'call', called.at);
    const refusal = refusalOfCall(name);
    if (refusal !== null) {
      this.walker.error(inside, called, refusal);
      return false;
    }
    this.walker.findings.used.functions.add(name);
    if (this.walker.declared.functions.has(name)) return true;
    const args = task.members.get('with')?.node;
    const path = pointerTo(place.path, 'with');
    const given = args?.type === 'object' ? [...args.members] : [];
    this.walker.findings.addCall(
      name,
      given.map(([argument, { nameAt, node }]) => ({
        name: argument,
        path: pointerTo(path, argument),
        at: nameAt,
        ...(this.isLiteral(node.value) && { literal: node.value }),
      })),
      inside.path,
      called.at,
    );
    return true;
  }

  private isLiteral(value: Json): boolean {
    return textsOf(value).every((text) => !this.walker.isLoose && enclosedProgram(text) === undefined);
  }

  private noteSubflow(task: ObjectNode, place: Place): void {
    const path = ['run', 'workflow', 'name'];
    const named = nodeAt(task, path);
    if (named && isText(named)) this.walker.findings.addSubflow(named.value, pointerTo(place.path, ...path), named.at);
  }

  private noteEvent(task: ObjectNode, place: Place): void {
    const path = ['emit', 'event', 'with', 'type'];
    const type = nodeAt(task, path);
    if (type && isText(type)) this.walker.findings.addEvent(type.value, pointerTo(place.path, ...path), type.at);
  }

  private warnOfEndlessWait(node: ObjectNode, place: Place): void {
    const at = node.members.get('listen')?.nameAt ?? place.nameAt;
    this.walker.warn(
      place.path,
      at,
      'waits for ever if the event never comes: give the task, or one around it, a timeout',
    );
  }

  private reportKindless(node: ObjectNode, place: Place): void {
    let isExplained = false;
    for (const [name, { nameAt }] of node.members) {
      if (name in TASK_BASE) continue;
      const meant = suggestionFor(name, KINDS);
      const instead = meant === undefined ? OF_OTHER_LANGUAGES[name] : `did you mean "${meant}"?`;
      if (instead === undefined) continue;
      isExplained = true;
      this.walker.errorOfName(pointerTo(place.path, name), nameAt, `unknown property ${quoted(name)}: ${instead}`);
    }
    if (isExplained) return;
    this.walker.errorOfName(place.path, place.nameAt, `the task does nothing: it needs one of ${KINDS.join(', ')}`);
  }

  private checkEntries(
    items: readonly DocumentNode[],
    place: Place,
    word: 'task' | 'case',
    visit: (name: string, member: Member, place: Place) => void,
  ): void {
    const seen = new Set<string>();
    items.forEach((item, index) => {
      const inside = this.walker.inside(place, index, item.at);
      if (item.type !== 'object') {
        return this.walker.error(
          inside,
          item,
          `must be a ${word} under its name, as "- name: ...", not ${kindOf(item)}`,
        );
      }
      const [entry, second] = item.members;
      if (entry === undefined)
        return this.walker.error(inside, item, `must be a ${word} under its name; this has no name`);
      if (second !== undefined) {
        const names = listed([...item.members.keys()]);
        const message = `each entry has the name of one ${word}, and this has several (${names}): indent what belongs to the ${word}, or begin the next with "- "`;
        return this.walker.errorOfName(inside.path, second[1].nameAt, message);
      }
      const [name, member] = entry;
      const named = this.walker.inside(inside, name, member.nameAt);
      if (seen.has(name)) {
        this.walker.errorOfName(
          named.path,
          member.nameAt,
          `there is another ${word} ${quoted(name)} in this list: rename one`,
        );
      }
      seen.add(name);
      visit(name, member, named);
    });
  }
}

function namesIn(items: readonly DocumentNode[]): Set<string> {
  return new Set(items.flatMap((item) => (item.type === 'object' ? [...item.members.keys()] : [])));
}

/** Properties of only one kind of task: its distinguishing property is probably misspelt or missing. */
const DISTINCTIVE: Record<string, string> = { while: 'for', catch: 'try', with: 'call' };

/** Returns the properties that determine the kind of a task. */
function kindsOf(node: ObjectNode): string[] {
  const kinds = KINDS.filter((kind) => node.members.has(kind));
  if (kinds.includes('for') || (kinds.includes('do') && node.members.has('while'))) {
    return ['for', ...kinds.filter((kind) => kind !== 'do' && kind !== 'for')];
  }
  if (kinds.length > 0) return kinds;
  return Object.entries(DISTINCTIVE).flatMap(([property, kind]) => (node.members.has(property) ? [kind] : []));
}

function notATask(node: DocumentNode): string {
  if (node.type === 'scalar' && node.value === null) return 'the task is empty: indent what belongs to it';
  return `must be a task, which is an object, not ${kindOf(node)}`;
}

// The losing branches of a race are stopped.
function isRace(node: ObjectNode): boolean {
  const fork = node.value['fork'];
  return typeof fork === 'object' && fork !== null && 'compete' in fork && fork.compete === true;
}

function refusalOfCall(name: string): string | null {
  if (Object.hasOwn(REFUSED_CALLS, name)) return REFUSED_CALLS[name] ?? null;
  if (enclosedProgram(name) !== undefined) return 'cannot be an expression: name the function';
  if (name.includes('@') || name.includes('://')) {
    return 'functions of catalogs are not supported: call a skill by its name, or write the function under use.functions';
  }
  return null;
}

function forEach(names: readonly string[], instead: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, instead]));
}
