import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Environment } from '../../environment/environment.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { hashPassword, isPassword } from './password-hash.rules.js';

const STORED = 'admin.password';

/** The administrator's password: set by the environment, or generated at the first start without one and stored as a hash. */
export class AdminPassword {
  private constructor(
    private readonly given: string | null,
    private readonly stored: string,
    /** The password that this start generated, to be shown once; null at every other start. */
    readonly generated: string | null,
  ) {}

  static async load(environment: Environment, secrets: SecretsService): Promise<AdminPassword> {
    const given = environment.ADMIN_PASSWORD;
    if (given !== null) {
      // Otherwise the generated password would work again once the variable is removed.
      await secrets.forget(STORED);
      return new AdminPassword(given, '', null);
    }
    const password = randomBytes(18).toString('base64url');
    const { value, created } = await secrets.getOrCreate(STORED, () => hashPassword(password));
    return new AdminPassword(null, value, created ? password : null);
  }

  async matches(presented: string): Promise<boolean> {
    if (this.given === null) return isPassword(this.stored, presented);
    return timingSafeEqual(sha256(this.given), sha256(presented));
  }

  /** Identifies the password: browser sessions that were opened with another password end. */
  fingerprint(): Buffer {
    return sha256(this.given ?? this.stored);
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
