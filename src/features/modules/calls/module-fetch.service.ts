import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { ModuleReply, ModuleRequest } from '#skill-host';
import { OutgoingHttp } from '../../../platform/outgoing-http/outgoing-http.service.js';
import { WorkflowSecrets } from '../../workflows/secrets/workflow-secrets.service.js';
import type { DeclaredUses } from '../declared/module.js';
import { assertHostIsOf, assertMayAsk } from './allowed.js';
import { RequestRefused } from './module-calls.errors.js';
import {
  type CallSecrets,
  fillIn,
  hideIn,
  hideInText,
  type UsedSecret,
  usedIn,
  type Wanted,
} from './secret-placeholders.js';

interface ResolvedSecret extends UsedSecret {
  refusalOf: (destination: { url: URL }) => string | null;
}

const MOST_BYTES = 5 * 1024 * 1024;
const LONGEST_MS = 60_000;

/** Sends the requests of modules: to the hosts that they declare, with the secrets that may go there. */
@Injectable()
export class ModuleFetch {
  constructor(
    private readonly http: OutgoingHttp,
    private readonly secrets: WorkflowSecrets,
  ) {}

  /** @throws RequestRefused, also when the request fails; WorkflowError (a secret that cannot be used) */
  async fetch(
    { value, body }: ModuleRequest,
    uses: DeclaredUses,
    { placeholders, sent }: CallSecrets,
    signal: AbortSignal,
  ): Promise<ModuleReply> {
    const wanted = { ...(JSON.parse(value) as Wanted), body };
    if (body && body.length > MOST_BYTES) throw new RequestRefused(`a request may have ${MOST_BYTES} bytes`);
    const used = await Promise.all(
      usedIn(wanted, placeholders).map((name) => this.resolve(name, placeholders[name] ?? '')),
    );
    const { url, ...filled } = fillIn(wanted, used);
    const assertMayGo = (to: URL) => {
      assertMayAsk(to, uses);
      for (const { refusalOf } of used) {
        const refusal = refusalOf({ url: to });
        if (refusal !== null) throw new RequestRefused(refusal);
      }
    };
    assertMayGo(new URL(url));
    assertHostIsOf(new URL(url), filled.headers);
    for (const one of used) sent.set(one.value, one);
    const hide = (text: string) => hideInText(text, [...sent.values()]);
    const response = await this.http
      .fetch(url, {
        ...filled,
        method: wanted.method,
        followsRedirects: wanted.redirect === 'follow',
        assertMayFollow: ({ url: next }) => assertMayGo(next),
        signal,
        timeoutMs: LONGEST_MS,
        maxBytes: MOST_BYTES,
      })
      .catch((error: unknown) => {
        // The message quotes the requested URL.
        throw error instanceof Error ? new RequestRefused(hide(error.message)) : error;
      });
    const headers = toTexts(response.headers, hide);
    const last = response.redirects.length === 0 ? wanted.url : hide(response.url);
    const answered = { status: response.status, headers, url: last };
    return { value: JSON.stringify(answered), body: hideIn(response.body, [...sent.values()]) };
  }

  private async resolve(name: string, placeholder: string): Promise<ResolvedSecret> {
    const { value, refusalOf } = await this.secrets.resolve(name);
    if (typeof value !== 'string')
      throw new RequestRefused(`the secret ${name} has several parts: a skill module takes one that is a text`);
    return { placeholder, value, refusalOf };
  }
}

const toTexts = (headers: IncomingHttpHeaders, hide: (text: string) => string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value = '']) => [name, hide(Array.isArray(value) ? value.join(', ') : value)]),
  );
