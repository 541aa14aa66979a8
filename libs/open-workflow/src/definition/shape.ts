import type { JsonObject } from '../json.js';
import type { ObjectNode } from './document-node.js';
import type { Format } from './formats.js';

/** Components that are declared under `use` and referred to by name. */
export type ComponentKind = 'authentications' | 'errors' | 'functions' | 'retries' | 'secrets' | 'timeouts';

/**
 * Declares the structure of a part of a document. The walker checks documents against it, and the JSON Schema for editors is
 * generated from it.
 */
export type Shape =
  | TextShape
  | IntegerShape
  | BooleanShape
  | DataShape
  | SchemaDocumentShape
  | ListShape
  | MapShape
  | ObjectShape
  | ChoiceShape
  | TaskShape
  | TaskListShape
  | CasesShape;

interface Described {
  /** Shown to people in editors. */
  about?: string;
}

export interface TextShape extends Described {
  type: 'text';
  /**
   * Says whether the text may be a runtime expression: `enclosed` = when it has the form `${ ... }`; `whole` = it always is one,
   * with or without `${ }`. Absent = never.
   */
  expression?: 'enclosed' | 'whole';
  choices?: readonly string[];
  format?: Format;
  /** The text refers to a component under `use`. */
  names?: ComponentKind;
  /** The text is a flow directive. */
  isTarget?: true;
  most?: number;
}

export interface IntegerShape extends Described {
  type: 'integer';
  least: number;
  most: number;
  /** An expression may replace the value. */
  expression?: 'enclosed';
}

interface BooleanShape extends Described {
  type: 'boolean';
}

export interface DataShape extends Described {
  type: 'data';
  /** True when strings in it may be expressions. */
  hasExpressions: boolean;
  only?: 'object';
}

interface SchemaDocumentShape extends Described {
  type: 'schema';
}

export interface ListShape extends Described {
  type: 'list';
  items: Shape;
  least?: number;
}

/** An object whose names the author chooses. */
export interface MapShape extends Described {
  type: 'map';
  values: Shape;
  names?: Format;
  /** Additional variables for expressions in the values. */
  variables?: readonly string[];
}

export interface ObjectShape extends Described {
  type: 'object';
  properties: Record<string, Shape>;
  required?: readonly string[];
  /** Exactly one of these properties is required. */
  exactlyOne?: readonly string[];
  /** At least one of these properties is required. */
  atLeastOne?: readonly string[];
  /** Properties of the DSL that this service refuses: the reason, and what to do instead. */
  refused?: Record<string, string>;
  /** Further properties, with names that the author chooses. */
  others?: { names: Format; values: Shape };
  /** Returns the variables that expressions in a property have in addition to those of the object. */
  variablesIn?(property: string, object: JsonObject): string[];
  /** Properties in which $secrets may be used. */
  secretsIn?: readonly string[];
  /** Checks rules that the declarations above cannot express. */
  check?(node: ObjectNode, report: Report): void;
}

/** Reports a problem with a member of an object; with an empty path, with the object itself. */
export type Report = (path: readonly (string | number)[], message: string, severity?: 'error' | 'warning') => void;

/** One of several shapes, chosen by the type of the value. */
export interface ChoiceShape extends Described {
  type: 'choice';
  text?: TextShape;
  integer?: IntegerShape;
  object?: ObjectShape | MapShape | DataShape;
  list?: ListShape | DataShape;
}

interface TaskShape extends Described {
  type: 'task';
}

/** Tasks in order, each under its name. */
export interface TaskListShape extends Described {
  type: 'tasks';
  least: number;
  /** True when the tasks run concurrently: none of them can continue at another. */
  areConcurrent?: true;
}

/** The cases of a switch, each under its name. */
export interface CasesShape extends Described {
  type: 'cases';
  values: Shape;
}

export interface TaskKind extends Pick<ObjectShape, 'properties' | 'variablesIn' | 'secretsIn' | 'check'> {
  about: string;
  required: readonly string[];
}

export const text = (about: string, more: Omit<TextShape, 'type' | 'about'> = {}): TextShape => ({
  type: 'text',
  about,
  ...more,
});

/** Returns the shape of a runtime expression, with or without `${ }`. */
export const expression = (about: string): TextShape => text(about, { expression: 'whole' });

/** Returns the shape of an expression that yields a whole object. @param example of a property that such an object may have */
export const wholeExpression = (about: string, example: string): TextShape =>
  text(about, {
    expression: 'enclosed',
    format: { problemOf: () => `must be an object, or an expression as \${ .${example} }` },
  });

/** Returns the shape of any data whose strings may be expressions. */
export const data = (about: string): DataShape => ({ type: 'data', about, hasExpressions: true });

/** Returns the shape of an object of any data whose strings may be expressions. */
export const dataObject = (about: string): DataShape => ({ ...data(about), only: 'object' });

/** Returns the shape of an object of any data that is never evaluated. */
export const fixedObject = (about: string): DataShape => ({
  type: 'data',
  about,
  hasExpressions: false,
  only: 'object',
});
