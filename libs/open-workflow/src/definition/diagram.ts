import type { Duration, Task, TaskList, WaitTask, WorkflowDefinition } from '../model.js';
import { pointerTo } from '../json-pointer.js';

const LONGEST_LABEL = 60;
const START = 'start';
const END = 'finish';

/**
 * Returns the diagram's node id for the JSON Pointer of a task: letters and digits stay, `/` becomes `_`, and other characters
 * become their code between two Z.
 */
export function nodeIdOf(taskPointer: string): string {
  const encoded = taskPointer.replace(/[^0-9A-Ya-z]/gu, (character) =>
    character === '/' ? '_' : `Z${character.codePointAt(0)?.toString(16) ?? ''}Z`,
  );
  return `t${encoded}`;
}

/** Returns a Mermaid flowchart of a workflow. */
export function diagramOf(definition: WorkflowDefinition): string {
  const lines = ['flowchart TD', `  ${START}((start))`, `  ${END}((end))`];
  const drawing = new Drawing(lines);
  const first = drawing.drawList(definition.do, '/do', '  ', END);
  lines.push(`  ${START} --> ${first}`, ...drawing.edges);
  return `${lines.join('\n')}\n`;
}

class Drawing {
  readonly edges: string[] = [];

  constructor(private readonly lines: string[]) {}

  /**
   * Draws tasks in sequence.
   * @param after the node where the flow continues at the end; null = none, the surrounding block shows it
   * @returns the first node
   */
  drawList(list: TaskList, pointer: string, indent: string, after: string | null): string {
    const tasks = namedTasks(list, pointer);
    const ids = new Map(tasks.map(({ name, id }) => [name, id]));
    tasks.forEach(({ name, task, pointer: own, id }, index) => {
      this.drawTask(task, name, own, indent);
      const next = tasks.at(index + 1)?.id ?? after;
      const flow: Flow = { id, next, exit: after, ids };
      if ('switch' in task) this.drawCases(task.switch, task.then, flow);
      else this.connect(task.then, undefined, flow);
      if ('catch' in task && task.catch.then !== undefined) this.connect(task.catch.then, 'on error', flow);
    });
    return tasks.at(0)?.id ?? after ?? END;
  }

  private drawCases(
    cases: Record<string, { when?: string; then: string }>[],
    otherwise: string | undefined,
    flow: Flow,
  ): void {
    let hasDefault = false;
    for (const entry of cases) {
      for (const [name, { when, then }] of Object.entries(entry)) {
        hasDefault ||= when === undefined;
        this.connect(then, name, flow);
      }
    }
    if (!hasDefault) this.connect(otherwise, 'otherwise', flow);
  }

  private connect(directive: string | undefined, label: string | undefined, flow: Flow): void {
    const [target, detail] = targetOf(directive, flow);
    if (target === null) return;
    const text = [label, detail].filter((part) => part !== undefined).join(': ');
    this.edges.push(`  ${flow.id} -->${text && `|"${escaped(text)}"|`} ${target}`);
  }

  private drawTask(task: Task, name: string, pointer: string, indent: string): void {
    const id = nodeIdOf(pointer);
    const parts = partsOf(task, pointer);
    if (parts.length === 0) {
      const [open, close] = shapeOf(task);
      this.lines.push(`${indent}${id}${open}"${labelOf(task, name)}"${close}`);
      return;
    }
    this.lines.push(`${indent}subgraph ${id}["${labelOf(task, name)}"]`);
    for (const part of parts) this.drawPart(part, `${indent}  `, task);
    this.lines.push(`${indent}end`);
  }

  private drawPart({ list, pointer, isConcurrent, isHandler }: Part, indent: string, task: Task): void {
    if (isConcurrent) {
      for (const { name, task: branch, pointer: own } of namedTasks(list, pointer))
        this.drawTask(branch, name, own, indent);
      return;
    }
    const first = this.drawList(list, pointer, indent, null);
    if (isHandler && 'try' in task && task.try.length > 0 && list.length > 0) {
      const tried = namedTasks(task.try, `${pointer.slice(0, -'/catch/do'.length)}/try`).at(-1)?.id;
      if (tried !== undefined) this.edges.push(`  ${tried} -.->|"on error"| ${first}`);
    }
  }
}

interface Flow {
  id: string;
  next: string | null;
  exit: string | null;
  ids: Map<string, string>;
}

/** Returns the target node of a directive, and the label of the edge; null when the edge is omitted. */
function targetOf(directive: string | undefined, { next, exit, ids }: Flow): [string | null, string | undefined] {
  if (directive === undefined || directive === 'continue') return [next, undefined];
  if (directive === 'end') return [END, exit === END ? undefined : 'end'];
  if (directive === 'exit') return [exit, undefined];
  return [ids.get(directive) ?? null, undefined];
}

interface NamedTask {
  name: string;
  task: Task;
  pointer: string;
  id: string;
}

function namedTasks(list: TaskList, pointer: string): NamedTask[] {
  return list.flatMap((entry, index) =>
    Object.entries(entry).map(([name, task]) => {
      const own = pointerTo(pointerTo(pointer, index), name);
      return { name, task, pointer: own, id: nodeIdOf(own) };
    }),
  );
}

interface Part {
  list: TaskList;
  pointer: string;
  isConcurrent: boolean;
  isHandler: boolean;
}

function partsOf(task: Task, pointer: string): Part[] {
  const part = (list: TaskList, path: string, more: Partial<Part> = {}): Part => ({
    list,
    pointer: `${pointer}${path}`,
    isConcurrent: false,
    isHandler: false,
    ...more,
  });
  const parts: Part[] = [];
  if ('fork' in task) parts.push(part(task.fork.branches, '/fork/branches', { isConcurrent: true }));
  if ('do' in task) parts.push(part(task.do, '/do'));
  if ('try' in task) parts.push(part(task.try, '/try'), part(task.catch.do ?? [], '/catch/do', { isHandler: true }));
  return parts.filter(({ list }) => list.length > 0);
}

function shapeOf(task: Task): [string, string] {
  if ('switch' in task) return ['{', '}'];
  if ('listen' in task || 'wait' in task) return ['([', '])'];
  if ('run' in task) return ['[[', ']]'];
  if ('raise' in task) return ['{{', '}}'];
  if ('emit' in task) return ['>', ']'];
  return ['[', ']'];
}

function labelOf(task: Task, name: string): string {
  return `${escaped(name)}<br/>${escaped(whatItDoes(task))}${task.if === undefined ? '' : '<br/>if ...'}`;
}

function whatItDoes(task: Task): string {
  if ('call' in task) return `call ${task.call}`;
  if ('for' in task) return `for each ${task.for.each ?? 'item'}`;
  if ('fork' in task) return task.fork.compete === true ? 'fork, the first wins' : 'fork';
  if ('listen' in task)
    return task.metadata?.['question'] === undefined ? `listen ${task.listen.to.one.with.type ?? ''}` : 'ask a person';
  if ('emit' in task) return `emit ${task.emit.event.with.type ?? ''}`;
  if ('run' in task) return `run ${task.run.workflow.name}`;
  if ('wait' in task) return `wait ${waitText(task.wait)}`;
  if ('try' in task) return task.catch.retry === undefined ? 'try' : 'try, retry';
  return (['switch', 'set', 'raise'] as const).find((kind) => kind in task) ?? 'do';
}

const waitText = (wait: WaitTask['wait']): string =>
  typeof wait === 'object' && 'until' in wait ? `until ${wait.until}` : durationText(wait);

const durationText = (duration: Duration): string =>
  typeof duration === 'string'
    ? duration
    : Object.entries(duration)
        .map(([unit, amount]) => `${amount} ${unit}`)
        .join(' ');

/** Shortens a text and escapes Mermaid's special characters as entity codes. */
function escaped(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').trim();
  const shown = oneLine.length > LONGEST_LABEL ? `${oneLine.slice(0, LONGEST_LABEL)}...` : oneLine;
  return shown.toWellFormed().replace(/[^\p{L}\p{N} .,:_-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
}
