import type { DocumentNode } from './document-node.js';
import type { Findings } from './findings.js';
import type { ComponentKind, Shape } from './shape.js';

/** Where the walker is, and what is known there. */
export interface Place {
  path: string;
  /** Offset of the name under which the value stands. */
  nameAt: number;
  /** The variables that expressions have: those of the place, and of the loops and catches around. */
  variables: readonly string[];
  mayUseSecrets: boolean;
  /** The tasks at which the flow may continue. */
  targets: ReadonlySet<string>;
  areConcurrent: boolean;
  /** Whether something around has a time limit. */
  hasDeadline: boolean;
}

/** Names that are declared under `use`, by kind. */
export type Declared = Record<ComponentKind, ReadonlySet<string>> & {
  /** Whether there are unknown names where declarations belong, so that some are probably misspelt. */
  isUncertain: boolean;
};

/** What checks the parts of a document: those that know one sort of part continue with it inside. */
export interface PartWalker {
  readonly findings: Findings;
  readonly declared: Declared;
  check(shape: Shape, node: DocumentNode, place: Place): void;
  /** Reports something about a value. */
  error(place: Place, node: DocumentNode, message: string): void;
  /** Reports something about a name. */
  errorOfName(path: string, at: number, message: string): void;
  warn(path: string, at: number, message: string): void;
  /** Returns the place of a member. */
  inside(place: Place, name: string | number, nameAt: number): Place;
}
