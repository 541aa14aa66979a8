import type { Json } from '../json.js';
import type { DocumentText } from './document-text.js';
import type { DefinitionProblem, Located } from './problem.js';
import type { ComponentKind } from './shape.js';

/** Limit per severity: nobody reads more. */
const MOST_PROBLEMS = 100;
const MOST_EXPRESSIONS = 5_000;

export interface FoundExpression extends Located {
  program: string;
  variables: string[];
}

/** A call of a function that the document does not define. */
export interface FoundCall extends Located {
  name: string;
  arguments: FoundArgument[];
}

/** A workflow that a document runs. */
export interface FoundSubflow extends Located {
  name: string;
}

export interface FoundEvent extends Located {
  type: string;
}

interface FoundArgument extends Located {
  name: string;
  /** Absent when there are expressions in the value. */
  literal?: Json;
}

/** An argument with its offset in the text. */
type GivenArgument = Pick<FoundArgument, 'name' | 'path' | 'literal'> & { at: number };

/** Collects the walker's findings in a document. */
export class Findings {
  readonly problems: DefinitionProblem[] = [];
  readonly expressions: FoundExpression[] = [];
  readonly calls: FoundCall[] = [];
  readonly subflows: FoundSubflow[] = [];
  readonly events: FoundEvent[] = [];
  readonly used: Record<ComponentKind, Set<string>> = {
    authentications: new Set(),
    errors: new Set(),
    functions: new Set(),
    retries: new Set(),
    secrets: new Set(),
    timeouts: new Set(),
  };
  private readonly counts = { error: 0, warning: 0 };

  constructor(private readonly text: DocumentText) {}

  report(severity: DefinitionProblem['severity'], path: string, at: number, message: string): void {
    this.counts[severity] += 1;
    if (this.counts[severity] <= MOST_PROBLEMS) this.problems.push({ severity, ...this.locate(path, at), message });
  }

  get hasErrors(): boolean {
    return this.counts.error > 0;
  }

  addExpression(program: string, variables: readonly string[], path: string, at: number): void {
    if (this.expressions.length === MOST_EXPRESSIONS) {
      this.report(
        'error',
        path,
        at,
        `the document has more than ${MOST_EXPRESSIONS} expressions: split it into several workflows`,
      );
    }
    if (this.expressions.length > MOST_EXPRESSIONS) return;
    this.expressions.push({ program, variables: [...variables], ...this.locate(path, at) });
  }

  addCall(name: string, args: readonly GivenArgument[], path: string, at: number): void {
    const located = args.map(({ path: place, at: offset, ...given }) => ({ ...given, ...this.locate(place, offset) }));
    this.calls.push({ name, arguments: located, ...this.locate(path, at) });
  }

  addSubflow(name: string, path: string, at: number): void {
    this.subflows.push({ name, ...this.locate(path, at) });
  }

  addEvent(type: string, path: string, at: number): void {
    this.events.push({ type, ...this.locate(path, at) });
  }

  private locate(path: string, at: number): Located {
    return { path, ...this.text.positionOf(at) };
  }
}
