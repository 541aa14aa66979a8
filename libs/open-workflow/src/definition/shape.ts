import type { JsonObject } from '../json.js';
import type { ObjectNode } from './document-node.js';
import type { Format } from './formats.js';

/** What can be declared under `use`, and be named elsewhere. */
export type ComponentKind = 'authentications' | 'errors' | 'functions' | 'retries' | 'secrets' | 'timeouts';

/**
 * What a part of a document must look like, declared once: the walker checks documents with it, and the JSON Schema for
 * editors is made from it.
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
  /** For people, in editors. */
  about?: string;
}

export interface TextShape extends Described {
  type: 'text';
  /**
   * Whether the text may be a runtime expression: `enclosed` = when it is `${ ... }` as a whole; `whole` = it is one,
   * with or without `${ }`. Without this it never is.
   */
  expression?: 'enclosed' | 'whole';
  choices?: readonly string[];
  format?: Format;
  /** The text names a component under `use`. */
  names?: ComponentKind;
  /** The text says where the flow continues. */
  isTarget?: true;
  most?: number;
}

export interface IntegerShape extends Described {
  type: 'integer';
  least: number;
  most: number;
  /** An expression may stand in its place. */
  expression?: 'enclosed';
}

interface BooleanShape extends Described {
  type: 'boolean';
}

/** Any data. */
export interface DataShape extends Described {
  type: 'data';
  /** Whether texts in it may be expressions. */
  hasExpressions: boolean;
  only?: 'object';
}

/** A JSON Schema. */
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
  /** Variables that expressions in the values see. */
  variables?: readonly string[];
}

export interface ObjectShape extends Described {
  type: 'object';
  properties: Record<string, Shape>;
  required?: readonly string[];
  /** Exactly one of these properties must be there. */
  exactlyOne?: readonly string[];
  /** At least one of these properties must be there. */
  atLeastOne?: readonly string[];
  /** Properties that the DSL has and this service refuses: the reason, and what to do instead. */
  refused?: Record<string, string>;
  /** Further properties, with names that the author chooses. */
  others?: { names: Format; values: Shape };
  /** Returns the variables that expressions in a property have beside those around the object. */
  variablesIn?(property: string, object: JsonObject): string[];
  /** Properties in which $secrets may be used. */
  secretsIn?: readonly string[];
  /** Checks what the declarations above cannot say. */
  check?(node: ObjectNode, report: Report): void;
}

/** Reports a problem of a member of an object; with an empty path, of the object itself. */
export type Report = (path: readonly (string | number)[], message: string, severity?: 'error' | 'warning') => void;

/** One of several shapes, decided by what sort of value is there. */
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

/** Tasks in their order, each under its name. */
export interface TaskListShape extends Described {
  type: 'tasks';
  least: number;
  /** Tasks at the same time: none of them can continue at another. */
  areConcurrent?: true;
}

/** The cases of a switch, each under its name. */
export interface CasesShape extends Described {
  type: 'cases';
  values: Shape;
}

/** One kind of task. */
export interface TaskKind extends Pick<ObjectShape, 'properties' | 'variablesIn' | 'secretsIn' | 'check'> {
  about: string;
  required: readonly string[];
}

/** Returns a text shape. */
export const text = (about: string, more: Omit<TextShape, 'type' | 'about'> = {}): TextShape => ({
  type: 'text',
  about,
  ...more,
});

/** Returns the shape of a text that is a runtime expression, with or without `${ }`. */
export const expression = (about: string): TextShape => text(about, { expression: 'whole' });

/** Returns the shape of a text that is an expression for all of an object. @param example of a property that such an object may be in */
export const wholeExpression = (about: string, example: string): TextShape =>
  text(about, {
    expression: 'enclosed',
    format: { problemOf: () => `must be an object, or an expression as \${ .${example} }` },
  });

/** Returns the shape of any data in which texts may be expressions. */
export const data = (about: string): DataShape => ({ type: 'data', about, hasExpressions: true });

/** Returns the shape of an object of any data in which texts may be expressions. */
export const dataObject = (about: string): DataShape => ({ ...data(about), only: 'object' });

/** Returns the shape of an object of any data that is never evaluated. */
export const fixedObject = (about: string): DataShape => ({
  type: 'data',
  about,
  hasExpressions: false,
  only: 'object',
});
