import type { DocumentNode } from './document-node.js';
import type { Findings } from './findings.js';
import type { ComponentKind, Shape } from './shape.js';

/** The walker's position, and its context. */
export interface Place {
  path: string;
  /** Offset of the value's name. */
  nameAt: number;
  /** The variables in scope: those of the place, and of the enclosing loops and catches. */
  variables: readonly string[];
  mayUseSecrets: boolean;
  /** The tasks at which the flow may continue. */
  targets: ReadonlySet<string>;
  areConcurrent: boolean;
  /** True when an enclosing element has a time limit. */
  hasDeadline: boolean;
}

/** Names declared under `use`, by kind. */
export type Declared = Record<ComponentKind, ReadonlySet<string>> & {
  /** True when there are unknown names in place of declarations, so that some are probably misspelt. */
  isUncertain: boolean;
};

/** Checks parts of a document. Checks of one part use it for the nested parts. */
export interface PartWalker {
  /** True when texts without `${ }` may be expressions, too. */
  readonly isLoose: boolean;
  readonly findings: Findings;
  readonly declared: Declared;
  check(shape: Shape, node: DocumentNode, place: Place): void;
  /** Reports a problem with a value. */
  error(place: Place, node: DocumentNode, message: string): void;
  errorOfName(path: string, at: number, message: string): void;
  warn(path: string, at: number, message: string): void;
  inside(place: Place, name: string | number, nameAt: number): Place;
}
