import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Environment } from '../../platform/environment/environment.js';
import { type AdministratorAccount, BUILT_IN } from './administrator.js';
import { AdministratorStore, NO_PASSWORD } from './administrator.store.js';
import { hashPassword, isPassword, NOBODYS_HASH } from './password-hash.rules.js';

/**
 * Knows the passwords of all accounts. The one of the account `admin` is set by the environment, or generated at the first
 * start without one; those of the others, and a changed one of `admin`, are in the database. All are stored as hashes.
 */
export class AdminPassword {
  private constructor(
    private readonly given: string | null,
    /** The password that this start generated, to be shown once; null at every other start. */
    readonly generated: string | null,
  ) {}

  /** Sees to it that the account `admin` is there and has a password. */
  static async load(environment: Environment, store: AdministratorStore): Promise<AdminPassword> {
    const given = environment.ADMIN_PASSWORD;
    const builtIn = await store.find(BUILT_IN);
    if (given !== null) {
      // Otherwise the stored password would work again once the variable is removed.
      if (!builtIn?.hasFixedPassword) await replace(store, builtIn, '');
      return new AdminPassword(given, null);
    }
    if (builtIn && !builtIn.hasFixedPassword) return new AdminPassword(null, null);
    const password = generatePassword();
    const isStored = await replace(store, builtIn, await hashPassword(password));
    return new AdminPassword(null, isStored ? password : null);
  }

  /** Returns whether a password is the account's. Without an account, or a password, it is not, and this takes as long. */
  async matches(account: AdministratorAccount | undefined, presented: string): Promise<boolean> {
    if (account?.name === BUILT_IN && this.given !== null) {
      return timingSafeEqual(sha256(this.given), sha256(presented));
    }
    const hash = account?.passwordHash ?? '';
    return isPassword(hash === '' || hash === NO_PASSWORD ? NOBODYS_HASH : hash, presented);
  }

  /**
   * Returns the key for the hashes of an account's session tokens. It depends on the password of the environment, so that
   * sessions that were opened with another one end.
   */
  sessionKey(name: string): Buffer {
    return name === BUILT_IN && this.given !== null ? sha256(this.given) : Buffer.alloc(0);
  }
}

export const generatePassword = (): string => randomBytes(18).toString('base64url');

/** Returns the text that a stamp of an account gets; no two are equal. */
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
