import { Logger } from '@nestjs/common';
import type * as Jose from 'jose';
import { IssuerUnavailable } from './external-issuer.errors.js';

const RENEWED_AFTER_MS = 10 * 60_000;
/** How long unknown keys cause no new request to the issuer: strangers can name any key. */
const UNKNOWN_AGAIN_MS = 30_000;
/** How long a failure is cached, so that not every request waits for an issuer that is down. */
const FAILED_MS = 5_000;
const MOST_KEYS = 100;

type Find = ReturnType<typeof Jose.createLocalJWKSet>;

/**
 * The public keys of an issuer (RFC 7517, section 5). They are read on demand, again when a token names an unknown one, and
 * periodically. Known keys stay valid while the issuer is down.
 */
export class SigningKeys {
  private readonly logger = new Logger(SigningKeys.name);
  private known: Find | null = null;
  private readAtMs = -Infinity;
  private failure: { error: IssuerUnavailable; atMs: number } | null = null;
  private reading: Promise<Find> | null = null;

  constructor(
    private readonly jose: typeof Jose,
    private readonly issuer: string,
    private readonly read: () => Promise<unknown>,
    private readonly now = () => performance.now(), // monotonic, because the clock may be set back
  ) {}

  /** Returns the key for a token. @throws IssuerUnavailable, `JWKSNoMatchingKey`, `JWKSMultipleMatchingKeys` */
  readonly find: Jose.JWTVerifyGetKey = async (header, token) => {
    const known = this.known;
    if (!known) return (await this.again())(header, token);
    if (this.now() - this.readAtMs >= RENEWED_AFTER_MS) this.renew();
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof this.jose.errors.JWKSNoMatchingKey)) throw error;
      const isKnownToLack = this.now() - this.readAtMs < UNKNOWN_AGAIN_MS;
      // They may have been read in the meantime.
      const newer = isKnownToLack ? this.known : await this.again();
      if (!newer || newer === known) throw error;
      return newer(header, token);
    }
  };

  private renew(): void {
    this.again().catch((error: unknown) => this.logger.warn(`The keys that are known go on: ${String(error)}`));
  }

  /** Reads the keys again, once for all that wait. */
  private async again(): Promise<Find> {
    if (this.failure && this.now() - this.failure.atMs < FAILED_MS) throw this.failure.error;
    this.reading ??= this.readNow().finally(() => (this.reading = null));
    return this.reading;
  }

  private async readNow(): Promise<Find> {
    try {
      const document = (await this.read()) as Jose.JSONWebKeySet;
      const found = this.jose.createLocalJWKSet(document);
      if (document.keys.length > MOST_KEYS) throw new TypeError(`the issuer has more than ${MOST_KEYS} keys`);
      [this.known, this.readAtMs, this.failure] = [found, this.now(), null];
      return found;
    } catch (cause) {
      const error = new IssuerUnavailable(this.issuer, cause);
      this.failure = { error, atMs: this.now() };
      throw error;
    }
  }
}
