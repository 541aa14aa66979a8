import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDate,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  isISO8601,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { Nested } from '#skill-kit';
import { CLIENT_NAME, CLIENT_NAME_RULE, MAX_GROUPS } from '../../../access/clients/client.js';
import { MAX_TAG, MAX_TAGS } from '../../../platform/text/words.rules.js';

/** The declaration of a field, from which both the OpenAPI document and the validation are derived. */
export interface Field {
  /** Description in the OpenAPI document, where it must be understandable on its own. */
  says?: string;
  optional?: boolean;
  nullable?: boolean;
  default?: unknown;
  example?: unknown;
  /** Overrides for the OpenAPI document that do not affect validation. */
  doc?: object;
}

interface Bounds extends Field {
  min?: number;
  max?: number;
}

interface TextField extends Bounds {
  pattern?: RegExp;
  /** Describes the pattern in messages: "must be a date". */
  rule?: string;
  format?: string;
}

interface ListField extends Field {
  least?: number;
  most?: number;
}

type TextsField = ListField & Pick<TextField, 'max' | 'pattern' | 'rule'>;

/** For values that are sent as strings: all those of queries, and times. */
interface FromText {
  fromText?: boolean;
}

export const Text = ({ min, max, pattern, rule, format, ...field }: TextField = {}) =>
  declare(field, { type: 'string', minLength: min, maxLength: max, pattern: pattern?.source, format }, [
    ...textRules({ max, pattern, rule }, false),
    min !== undefined && MinLength(min),
    !pattern && IsString(),
  ]);

export const Texts = ({ max, pattern, rule, least, most, ...field }: TextsField = {}) => {
  const items = defined({ type: 'string', maxLength: max, pattern: pattern?.source });
  return declare(field, { type: 'array', items, minItems: least, maxItems: most }, [
    ...textRules({ max, pattern, rule }, true),
    !pattern && IsString({ each: true }),
    ...listRules({ least, most }),
    IsArray(),
  ]);
};

/** The tags of a document, or of a memory entry. */
export const Tags = (field: Field = {}) => Texts({ most: MAX_TAGS, max: MAX_TAG, ...field });

/** The groups that policies see a caller in. */
export const Groups = (field: Field) =>
  applyDecorators(
    Texts({ most: MAX_GROUPS, pattern: CLIENT_NAME, rule: CLIENT_NAME_RULE, doc: { uniqueItems: true }, ...field }),
    ArrayUnique(),
  );

/** One of several strings. */
export const OneOf = (values: readonly string[], { enumName, ...field }: Field & { enumName?: string } = {}) =>
  declare(field, { type: 'string', enum: field.nullable ? [...values, null] : [...values], enumName }, [IsIn(values)]);

export const Flag = ({ fromText, ...field }: Field & FromText = {}) =>
  declare(field, { type: 'boolean' }, [fromText && Transform(flagOfText), IsBoolean()]);

export const Integer = ({ fromText, ...field }: Bounds & FromText = {}) =>
  declareNumber('integer', field, [fromText && Transform(integerOfText), IsInt()]);

/** A number that need not be an integer. */
export const Amount = (field: Bounds = {}) => declareNumber('number', field, [IsNumber()]);

/** A time with its offset, so that it means the same everywhere. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const TIME_RULE = 'must be a time with its offset, such as 2026-11-21T10:15:00Z';

export const Time = ({ fromText, ...field }: Field & FromText = {}) =>
  declare(field, { type: 'string', format: 'date-time', maxLength: fromText ? 40 : undefined }, [
    fromText && Transform(timeOfText),
    IsDate({ message: `$property ${TIME_RULE}` }),
  ]);

export const Part = (part: Class, field: Field = {}) => declare(field, { type: part }, [Nested(() => part)]);

export const Parts = (part: Class, { least, most, ...field }: ListField = {}) =>
  declare(field, { type: [part], minItems: least, maxItems: most }, [
    ...listRules({ least, most }),
    Nested(() => part, { each: true }),
  ]);

export const AnyObject = (field: Field = {}) =>
  declare(field, { type: 'object', additionalProperties: true }, [IsObject()]);

/** A value that a schema describes; its consumer validates it. */
export const Value = (schema: object, field: Field = {}) => declare(field, schema, [IsDefined()]);

type Rule = PropertyDecorator | false | undefined;
/** The members of a declaration; they may be undefined, because they are copied from other declarations. */
type Parameter<Declared> = { [Name in keyof Declared]: Declared[Name] | undefined };

function declare({ optional, nullable, says, doc, ...field }: Field, schema: object, rules: Rule[]): PropertyDecorator {
  const own = { ...field, description: says, nullable, required: !optional, ...doc };
  const options = { ...defined(schema), ...defined(own) };
  const mayLack = optional || nullable;
  return applyDecorators(
    ApiProperty(options),
    ...(mayLack ? [ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null))] : []),
    ...rules.filter((rule) => rule !== false && rule !== undefined),
  );
}

const declareNumber = (type: string, { min, max, ...field }: Bounds, rules: Rule[]) =>
  declare(field, { type, minimum: min, maximum: max }, [
    max !== undefined && Max(max),
    min !== undefined && Min(min),
    ...rules,
  ]);

const textRules = ({ max, pattern, rule }: Parameter<TextField>, each: boolean): Rule[] => [
  max !== undefined && MaxLength(max, { each }),
  pattern && Matches(pattern, { each, ...(rule && { message: `${each ? 'each of ' : ''}$property ${rule}` }) }),
];

const listRules = ({ least, most }: Parameter<ListField>): Rule[] => [
  most !== undefined && ArrayMaxSize(most),
  least !== undefined && ArrayMinSize(least),
];

const flagOfText = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

const timeOfText = ({ value }: { value: unknown }): unknown =>
  // Date would read 30 February as 2 March.
  typeof value === 'string' && TIME.test(value) && isISO8601(value, { strict: true }) ? new Date(value) : value;

const integerOfText = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;

const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
