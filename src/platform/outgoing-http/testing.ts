import type { LookupAddress } from 'node:dns';
import { isIPv6 } from 'node:net';
import { settingsOn } from '../config/testing.js';
import { HostResolver } from './host-resolver.service.js';
import { OutgoingHttp } from './outgoing-http.service.js';

/** A resolver that returns its answers in sequence, and repeats the last one. */
export class ScriptedResolver extends HostResolver {
  readonly asked: string[] = [];
  private readonly answers: string[][];

  constructor(...answers: string[][]) {
    super();
    this.answers = answers;
  }

  override async resolve(host: string): Promise<LookupAddress[]> {
    this.asked.push(host);
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? [];
    return answer.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  }
}

/** Returns an `OutgoingHttp` that may connect to these hosts. */
export async function outgoingHttp(allowedHosts: string[] = [], resolver = new HostResolver()): Promise<OutgoingHttp> {
  const settings = await settingsOn({ env: { HTTP_ALLOWED_HOSTS: JSON.stringify(allowedHosts) } });
  return new OutgoingHttp(settings, resolver);
}
