import { storableText } from '#bounded-json';
import type { JsonObject } from '#skill-kit';
import { isSecretName } from './secret-names.rules.js';
import { marksSecrets, SchemaPlace } from './secret-schema.js';

/** The size of the stored part of a value. */
export interface KeptSize {
  /** Characters of one text. */
  text: number;
  /** Bytes of the whole value as JSON. */
  bytes: number;
}

export const ARGUMENTS: KeptSize = { text: 1_000, bytes: 8_192 };
/** Limits of the state before and after a change: enough for the text of a workflow. */
export const STATE: KeptSize = { text: 16_000, bytes: 32_768 };
const MOST_VALUES = 1_000;
const DEEPEST = 16;
const LONGEST_NAME = 200;

export const REDACTED = '[redacted]';
const LEFT_OUT = '[left out]';

export interface Kept {
  /** The stored part of the value, as JSON. */
  json: string;
  /** True when something was redacted, cut or left out. */
  isCut: boolean;
}

/**
 * Returns the part of a JSON value that may be stored: within the size, and without secrets, which its schema (`writeOnly`) and
 * the names of its members identify. The time depends on the stored part, not on the size of the value.
 */
export function keptOf(value: unknown, schema: JsonObject | null, size: KeptSize): Kept {
  const walk = new Walk(size);
  const kept = walk.keep(value, schema && marksSecrets(schema) ? SchemaPlace.at(schema) : null, 0);
  const json = JSON.stringify(kept) ?? 'null';
  // Escapes can make the JSON longer than estimated.
  if (Buffer.byteLength(json) > 2 * size.bytes) return { json: JSON.stringify(LEFT_OUT), isCut: true };
  return { json, isCut: walk.isCut };
}

/** Returns a text without secrets, cut to a length, and well-formed for storing. */
export function keptText(text: string, longest: number): string {
  const start = text.length > longest ? text.slice(0, longest) : text;
  const kept = withoutSecrets(storableText(start));
  if (text.length <= longest) return kept;
  return `${kept.replace(CUT_PASSWORD, `://${REDACTED}`)}… (cut: ${text.length} characters)`;
}

/** Possibly the user and the password of a URL that was cut before its host. */
const CUT_PASSWORD = /:\/\/[^\s/@:]{1,256}:[^\s/@]{0,256}$/;

const GIVEAWAYS: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic) {1,8}[\w+/=.~-]{8,}/gi, `$1 ${REDACTED}`],
  [/\bask_\w{16,}/g, REDACTED],
  [/:\/\/[^\s/@:]{1,256}:[^\s/@]{1,256}@/g, `://${REDACTED}@`],
];

/** Any of the patterns above contains this; most texts do not, nor does the displayed part of a key. */
const SUSPICIOUS = /bearer|basic|ask_\w{16}|:\/\//i;

/** A parameter in the query or the fragment of a URL. */
const PARAMETER = /([?&#])([\w.-]{1,64})=[^\s?&#"'<>]+/g;

function withoutSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  const kept = GIVEAWAYS.reduce((rest, [giveaway, instead]) => rest.replace(giveaway, instead), text);
  if (!kept.includes('://')) return kept;
  return kept.replace(PARAMETER, (parameter, before: string, name: string) =>
    isSecretName(name) ? `${before}${name}=${REDACTED}` : parameter,
  );
}

class Walk {
  isCut = false;
  private values = 0;
  private bytes = 0;

  constructor(private readonly size: KeptSize) {}

  keep(value: unknown, place: SchemaPlace | null, depth: number): unknown {
    this.values += 1;
    if (place?.isSecret) return this.cut(REDACTED);
    if (typeof value === 'string') return this.keepText(value);
    this.bytes += 8;
    if (typeof value !== 'object' || value === null) return isJsonScalar(value) ? value : this.cut(null);
    if (depth >= DEEPEST || this.isFull()) return this.cut(LEFT_OUT);
    if (value instanceof Date) return value;
    return Array.isArray(value) ? this.keepArray(value, place, depth) : this.keepObject(value, place, depth);
  }

  private keepText(text: string): string {
    if (this.isFull()) return this.cut(LEFT_OUT);
    const kept = keptText(text, Math.min(this.size.text, Math.max(0, this.size.bytes - this.bytes)));
    if (kept !== text) this.isCut = true;
    this.bytes += Buffer.byteLength(kept) + 2;
    return kept;
  }

  private keepArray(array: readonly unknown[], place: SchemaPlace | null, depth: number): unknown[] {
    const kept: unknown[] = [];
    const elements = place?.element() ?? null;
    for (const element of array) {
      if (this.isFull()) {
        this.isCut = true;
        kept.push(`${LEFT_OUT} ${array.length - kept.length}`);
        break;
      }
      kept.push(this.keep(element, elements, depth + 1));
    }
    return kept;
  }

  private keepObject(object: object, place: SchemaPlace | null, depth: number): object {
    const kept: [string, unknown][] = [];
    const holdsNamedSecret = isNamedSecret(object);
    for (const name in object) {
      if (!Object.hasOwn(object, name)) continue;
      if (this.isFull()) {
        this.isCut = true;
        break;
      }
      kept.push([this.keepName(name), this.keepMember(object, name, { place, depth, holdsNamedSecret })]);
    }
    // Unlike an assignment, `fromEntries` makes a member named __proto__ a member like any other.
    return Object.fromEntries(kept);
  }

  private keepMember(
    object: object,
    name: string,
    { place, depth, holdsNamedSecret }: { place: SchemaPlace | null; depth: number; holdsNamedSecret: boolean },
  ): unknown {
    const value: unknown = Reflect.get(object, name);
    const isSecret = isSecretName(name) || (holdsNamedSecret && name === 'value');
    if (isSecret && value !== null && typeof value !== 'boolean') return this.cut(REDACTED);
    return this.keep(value, place?.member(name) ?? null, depth + 1);
  }

  private keepName(name: string): string {
    const kept = storableText(name.slice(0, LONGEST_NAME));
    if (kept !== name) this.isCut = true;
    this.bytes += Buffer.byteLength(kept) + 4;
    return kept;
  }

  private isFull(): boolean {
    return this.bytes >= this.size.bytes || this.values >= MOST_VALUES;
  }

  private cut<Instead>(instead: Instead): Instead {
    this.isCut = true;
    if (typeof instead === 'string') this.bytes += instead.length + 2;
    return instead;
  }
}

const isJsonScalar = (value: unknown): boolean =>
  value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Returns whether an object is a name with a value (a header, a variable), and the name is that of a secret. */
function isNamedSecret(object: object): boolean {
  if (!Object.hasOwn(object, 'value')) return false;
  return ['name', 'key', 'header'].some((member) => {
    const name: unknown = Object.hasOwn(object, member) ? Reflect.get(object, member) : null;
    return typeof name === 'string' && isSecretName(name);
  });
}
