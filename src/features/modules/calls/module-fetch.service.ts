import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { ModuleReply, ModuleRequest } from '#skill-host';
import { OutgoingHttp } from '../../../platform/outgoing-http/outgoing-http.service.js';
import { isAmongHosts } from '../../workflows/secrets/secret-limits.rules.js';
import { WorkflowSecrets } from '../../workflows/secrets/workflow-secrets.service.js';
import type { DeclaredUses } from '../declared/module.js';
import { RequestRefused } from './module-calls.errors.js';

/** What a module wants to send. */
interface Wanted {
  url: string;
  method: string;
  headers: Record<string, string>;
  redirect: 'follow' | 'error' | 'manual';
}

/** A secret that a request holds. */
interface UsedSecret {
  name: string;
  standIn: string;
  value: string;
  refusalOf: (destination: { url: URL }) => string | null;
}

const MOST_BYTES = 5 * 1024 * 1024;
const LONGEST_MS = 60_000;
/** Shorter ones may be anything. */
const SHORTEST_HIDDEN = 6;

/** Sends the requests of modules: to the hosts that they declare, with the secrets that may go there. */
@Injectable()
export class ModuleFetch {
  constructor(
    private readonly http: OutgoingHttp,
    private readonly secrets: WorkflowSecrets,
  ) {}

  /**
   * @param standIns what stands for each secret in what the module sends
   * @throws RequestRefused, WorkflowError (a secret that cannot be used), and what `OutgoingHttp.fetch` throws
   */
  async fetch(
    { value, body }: ModuleRequest,
    { hosts }: DeclaredUses,
    standIns: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ModuleReply> {
    const wanted = JSON.parse(value) as Wanted;
    if (body && body.length > MOST_BYTES) throw new RequestRefused(`a request may have ${MOST_BYTES} bytes`);
    const text = body && Buffer.from(body).toString('latin1');
    const used = await this.usedIn([wanted.url, ...Object.values(wanted.headers), text ?? ''], standIns);
    const filled = (part: string, write = (secret: string) => secret) =>
      used.reduce((whole, { standIn, value: secret }) => whole.replaceAll(standIn, () => write(secret)), part);
    const url = filled(wanted.url, encodeURIComponent);
    const assertMayGo = (to: URL) => {
      if (!isAmongHosts(to, hosts))
        throw new RequestRefused(`the skill does not declare the host ${to.host}: add it to uses.hosts`);
      for (const { refusalOf } of used) {
        const refusal = refusalOf({ url: to });
        if (refusal !== null) throw new RequestRefused(refusal);
      }
    };
    assertMayGo(new URL(url));
    const response = await this.http.fetch(url, {
      method: wanted.method,
      headers: Object.fromEntries(Object.entries(wanted.headers).map(([name, header]) => [name, filled(header)])),
      ...(text !== undefined && { body: Buffer.from(filled(text, inBytes), 'latin1') }),
      followsRedirects: wanted.redirect === 'follow',
      assertMayFollow: ({ url: next }) => assertMayGo(next),
      signal,
      timeoutMs: LONGEST_MS,
      maxBytes: MOST_BYTES,
    });
    // A server may send back what it got: the module, and whoever reads its result, need not know the secret.
    const hidden = used.reduce(
      (whole, { standIn, value: secret }) =>
        secret.length < SHORTEST_HIDDEN ? whole : whole.replaceAll(inBytes(secret), standIn),
      response.body.toString('latin1'),
    );
    const answered = { status: response.status, headers: toTexts(response.headers), url: wanted.url };
    return { value: JSON.stringify(answered), body: Buffer.from(hidden, 'latin1') };
  }

  private usedIn(texts: readonly string[], standIns: Readonly<Record<string, string>>): Promise<UsedSecret[]> {
    const names = Object.keys(standIns).filter((name) => texts.some((text) => text.includes(standIns[name] ?? '')));
    return Promise.all(
      names.map(async (name) => {
        const { value, refusalOf } = await this.secrets.resolve(name);
        if (typeof value !== 'string')
          throw new RequestRefused(`the secret ${name} has several parts: a skill module takes one that is a text`);
        return { name, standIn: standIns[name] ?? '', value, refusalOf };
      }),
    );
  }
}

/** A text in which each character is a byte of its UTF-8. */
const inBytes = (text: string): string => Buffer.from(text).toString('latin1');

const toTexts = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
