import type { Json } from './json.js';
import { replaceTexts, textsOf } from './templates.js';
import { standardError, type Problem, problemOf, STANDARD_ERRORS, WorkflowError } from './workflow-error.js';
import type { Destination, HttpRequest, Secret } from './workflow-host.js';

/** Shorter texts are not secrets, and would occur everywhere. */
const MIN_LENGTH = 4;
export const REDACTED = '[redacted]';

/** The use of a secret. The Authorization header is dropped when a redirect leads to another origin. */
export type SecretPurpose = 'sent' | 'authorization';

/** Tracks the secrets that a step has used: checks their destinations, and redacts them from everything that leaves the step. */
export class UsedSecrets {
  /** Longest first: one secret may be a part of another. */
  private texts: readonly string[] = [];
  private readonly used: Record<SecretPurpose, Map<string, Secret>> = { sent: new Map(), authorization: new Map() };

  add(name: string, secret: Secret, purpose: SecretPurpose): void {
    this.used[purpose].set(name, secret);
    this.conceal(secret.value);
  }

  /** Redacts all texts of a value from now on, in each form in which they may appear. */
  conceal(value: Json): void {
    const texts = new Set(this.texts);
    for (const text of textsOf(value)) if (text.length >= MIN_LENGTH) for (const form of formsOf(text)) texts.add(form);
    this.texts = [...texts].sort((one, other) => other.length - one.length);
  }

  /** @throws WorkflowError (authorization) when a secret may not be part of the request */
  assertMayBeIn(request: Pick<HttpRequest, 'url' | 'headers'>): void {
    // Servers that share an address choose by this header.
    const host = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'host')?.[1];
    const url = new URL(request.url);
    const isAuthorized = Object.keys(request.headers).some((name) => name.toLowerCase() === 'authorization');
    for (const purpose of isAuthorized ? (['sent', 'authorization'] as const) : (['sent'] as const)) {
      this.assertMayGoTo({ url }, purpose);
      if (host !== undefined) this.assertMayGoTo({ url: urlOfHost(host, url) }, purpose);
    }
  }

  /** @throws WorkflowError (authorization) */
  assertMayGoTo(destination: Destination, purpose: SecretPurpose = 'sent'): void {
    for (const secret of this.used[purpose].values()) {
      const refusal = secret.refusalOf(destination);
      if (refusal !== null) throw standardError('authorization', refusal);
    }
  }

  removeFrom(value: Json): Json {
    return this.texts.length === 0 ? value : replaceTexts(value, (text) => replaceAll(text, this.texts));
  }

  removeFromBytes(bytes: Uint8Array): Uint8Array {
    if (this.texts.length === 0) return bytes;
    const text = Buffer.from(bytes).toString('latin1');
    return Buffer.from(replaceAll(text, this.texts.map(asLatin1)), 'latin1');
  }

  removeFromError(error: unknown): unknown {
    if (this.texts.length === 0) return error;
    const problem = problemOf(error);
    // jq shortens the values in its messages, so they may contain the beginning of a secret.
    if (problem.type === `${STANDARD_ERRORS}expression`)
      return standardError('expression', 'An expression of a step that uses secrets failed.');
    return new WorkflowError(this.removeFrom(problem) as Problem);
  }
}

/** Methods are sent in upper case, and hosts in lower case. */
function formsOf(text: string): string[] {
  const wellFormed = text.toWellFormed();
  const base64 = Buffer.from(text).toString('base64');
  return [
    text,
    text.toLowerCase(),
    text.toUpperCase(),
    encodeURIComponent(wellFormed),
    encodeURI(wellFormed),
    new URLSearchParams([['', text]]).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
  ];
}

/** @throws WorkflowError (configuration) */
function urlOfHost(host: string, { protocol }: URL): URL {
  const url = URL.parse(`${protocol}//${host}`);
  if (url !== null) return url;
  throw standardError('configuration', 'The header Host is no host.');
}

const replaceAll = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);

/** Returns a text with one character per UTF-8 byte of the original. */
const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');
