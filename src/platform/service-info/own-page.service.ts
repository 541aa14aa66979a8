import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretsService } from '../secrets/secrets.service.js';

/** Header in which an administration page presents its pass. */
const OWN_PAGE_HEADER = 'x-own-page';

const VALID_FOR_MS = 10 * 60_000;

/**
 * Lets the administration pages use the MCP endpoint under any host name. A pass is valid for one Host, and issued only to
 * sessions logged in there. So a page that uses DNS rebinding gets none: browsers do not send it the session cookie.
 */
@Injectable()
export class OwnPages implements OnModuleInit {
  private key: Buffer | null = null; // null until read

  constructor(private readonly secrets: SecretsService) {}

  async onModuleInit(): Promise<void> {
    this.key = await this.secrets.get('mcp.own_page');
  }

  /** Returns a pass for a page loaded from this Host. It is valid for ten minutes, on every replica. */
  passFor(host: string, now: Date): string {
    const until = String(now.getTime() + VALID_FOR_MS);
    return `${until}.${this.seal(host, until)}`;
  }

  /** Returns whether a request comes from a page with a valid pass for the Host that it was loaded from. */
  isOwnPage({ origin, host, [OWN_PAGE_HEADER]: pass }: IncomingHttpHeaders, now: Date): boolean {
    if (typeof pass !== 'string' || host === undefined || origin === undefined) return false;
    if (URL.parse(origin)?.host !== host) return false;
    const [until = '', seal = ''] = pass.split('.', 2);
    return Number(until) > now.getTime() && isSame(seal, this.seal(host, until));
  }

  private seal(host: string, until: string): string {
    if (!this.key) throw new Error('the key of passes is not read yet');
    return createHmac('sha256', this.key).update(`${until} ${host}`).digest('base64url');
  }
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
