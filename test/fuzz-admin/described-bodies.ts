import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from './complaints.js';
import type { OpenApiDocument, Operation } from './operations.js';
import { isMembers } from './samples.js';

const DOCUMENT = 'document';

/** Compares the JSON of bodies with the OpenAPI document: also a member that it does not describe is a deviation. */
export class DescribedBodies {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly known = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApiDocument) {
    this.ajv.addSchema(checkable({ components: document.components }) as object, DOCUMENT);
  }

  /** Returns what the description of an operation rules out in its body; null when it permits the body. */
  ruledOutIn({ body }: Operation, value: unknown): string | null {
    return this.problemOf(body ?? {}, value);
  }

  /** Returns what in an answer is not as described; null when all is. */
  deviationOf(
    { method, path }: Pick<Operation, 'method' | 'path'>,
    { status, contentType, text }: Answer,
  ): string | null {
    const { responses = {} } = this.document.paths[path]?.[method.toLowerCase()] ?? {};
    const [type = ''] = contentType.split(';');
    const { content = {} } = responses[status] ?? (status >= 400 ? responses['default'] : undefined) ?? {};
    const described = content[type] as { schema: unknown } | undefined;
    const isEmpty = text === '' || (status >= 300 && status < 400);
    if (!described) return isEmpty && responses[status] ? null : `undescribed: ${status} ${type}`;
    if (!type.endsWith('json')) return null;
    return this.problemOf(described.schema, JSON.parse(text));
  }

  private problemOf(schema: unknown, value: unknown): string | null {
    const key = JSON.stringify(schema);
    const check = this.known.get(key) ?? this.ajv.compile(checkable(schema) as object);
    this.known.set(key, check);
    return check(value) ? null : this.ajv.errorsText(check.errors);
  }
}

/** Converts schemas of OpenAPI 3.0 to JSON Schema, in which no object has other members than those described. */
function checkable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(checkable);
  if (!isMembers(schema)) return schema;
  const { nullable = false, ...others } = schema;
  const own = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [
      name,
      name === '$ref' && typeof value === 'string' ? DOCUMENT + value : checkable(value),
    ]),
  );
  const isClosed = isMembers(own['properties']) && own['type'] === 'object' && !('additionalProperties' in own);
  const closed = isClosed ? { ...own, unevaluatedProperties: false } : own;
  // A nullable enum must list null.
  const mayBeNull = nullable === true && (!Array.isArray(own['enum']) || own['enum'].includes(null));
  return mayBeNull ? { anyOf: [closed, { type: 'null' }] } : closed;
}
