import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Environment } from '../../platform/environment/environment.js';
import { type AdministratorAccount, BUILT_IN } from './administrator.js';
import { AdministratorStore, NO_PASSWORD } from './administrator.store.js';
import { hashPassword, isPassword, NOBODYS_HASH } from './password-hash.rules.js';

/**
 * Checks the passwords of all accounts. The environment sets the one of the account `admin`; without it, the first start
 * generates one. The other passwords, and a changed one of `admin`, are in the database, as hashes.
 */
export class AdminPassword {
  private constructor(
    private readonly given: string | null,
    /** The password that this start generated, to show once; null = none was generated. */
    readonly generated: string | null,
  ) {}

  /** Ensures that the account `admin` exists and has a password. */
  static async load(environment: Environment, store: AdministratorStore): Promise<AdminPassword> {
    const given = environment.ADMIN_PASSWORD;
    const builtIn = await store.find(BUILT_IN);
    if (given !== null) {
      // Otherwise, removing the variable would make the old stored password valid again.
      if (!builtIn?.hasFixedPassword) await replace(store, builtIn, '');
      return new AdminPassword(given, null);
    }
    if (builtIn && !builtIn.hasFixedPassword) return new AdminPassword(null, null);
    const password = generatePassword();
    const isStored = await replace(store, builtIn, await hashPassword(password));
    return new AdminPassword(null, isStored ? password : null);
  }

  /** Returns whether a password is the account's. Without an account, or a password, returns false after the same time. */
  async matches(account: AdministratorAccount | undefined, presented: string): Promise<boolean> {
    if (account?.name === BUILT_IN && this.given !== null) {
      return timingSafeEqual(sha256(this.given), sha256(presented));
    }
    const hash = account?.passwordHash ?? '';
    return isPassword(hash === '' || hash === NO_PASSWORD ? NOBODYS_HASH : hash, presented);
  }

  /**
   * Returns the key for the hashes of an account's session tokens. It depends on the password in the environment: changing that
   * password ends the sessions.
   */
  sessionKey(name: string): Buffer {
    return name === BUILT_IN && this.given !== null ? sha256(this.given) : Buffer.alloc(0);
  }
}

export const generatePassword = (): string => randomBytes(18).toString('base64url');

export const newStamp = (): string => randomBytes(12).toString('base64url');

function replace(
  store: AdministratorStore,
  account: AdministratorAccount | undefined,
  passwordHash: string,
): Promise<boolean> {
  const password = { passwordHash, stamp: newStamp(), at: new Date() };
  return account
    ? store.setPassword(BUILT_IN, account.stamp, password)
    : store.addIfAbsent(BUILT_IN, 'admin', password);
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
