import { hashSecret, matcherOf, type SecretHash, type SecretMatcher } from '../secrets/secret-hash.rules.js';
import {
  type CheckedValue,
  checkValue,
  declarationOf,
  isCredentialKey,
  isPlainKey,
  isSecretKey,
  SETTING_KEYS,
} from '../settings/settings.rules.js';
import {
  type CredentialKey,
  type PlainKey,
  type PlainValues,
  type SecretKey,
  type SettingInput,
  type SettingKey,
  SETTINGS,
} from '../settings/settings.schema.js';
import { CredentialWithoutServer } from './config.errors.js';
import { type Credentials, isStoredCredential, type StoredCredential } from './credentials.js';

/** A setting as stored: a secret as a hash, a credential encrypted. */
export type StoredValue = SettingInput | SecretHash | StoredCredential;

/**
 * The result of applying a stored value: applied, and possibly to be stored again in a new form; only the valid entries of a list
 * applied; or invalid.
 */
export type Adoption = { storeAs: StoredCredential | null } | { partly: string } | { problem: string };

type InvalidValue = Extract<CheckedValue, { problem: string }>;

/** Caches the current value of each setting. */
export class SettingsInForce {
  private values: PlainValues = defaults();
  private readonly secrets = new Map<SettingKey, SecretMatcher>();

  constructor(private readonly credentials: Credentials) {}

  get<Key extends PlainKey>(key: Key): PlainValues[Key] {
    return this.values[key];
  }

  /** Compares with the secret in constant time; returns false when none is set. */
  matchesSecret(key: SecretKey, presented: string): boolean {
    return this.secrets.get(key)?.(presented) ?? false;
  }

  /** Returns the credential for the configured server; undefined when there is none, or it was entered for another server. */
  findCredential(key: CredentialKey): string | undefined {
    return this.credentials.find(key, this.originFor(key));
  }

  /** Returns why a stored credential is not presented, and what to do; null when there is no problem. */
  credentialProblem(key: CredentialKey): string | null {
    return this.credentials.problemWith(key, this.originFor(key));
  }

  /** Applies the values of the environment. They are not stored. */
  override(values: ReadonlyMap<SettingKey, SettingInput>): void {
    for (const [key, value] of values) {
      if (isPlainKey(key)) this.values = { ...this.values, [key]: value };
      else if (isSecretKey(key)) this.secrets.set(key, matcherOf(hashSecret(String(value))));
      else if (isCredentialKey(key)) {
        const origin = originOf(String(values.get(SETTINGS[key].for)));
        if (origin !== null) this.credentials.keep(key, { text: String(value), origin });
      }
    }
  }

  /** Applies a stored value; an invalid one changes nothing. */
  async adopt(key: SettingKey, stored: unknown): Promise<Adoption> {
    if (isSecretKey(key)) return this.adoptSecret(key, stored);
    if (isCredentialKey(key)) return this.adoptCredential(key, stored);
    const checked = checkValue(key, stored);
    if ('problem' in checked) return this.adoptFitting(key, stored, checked);
    this.values = { ...this.values, [key]: checked.value };
    return { storeAs: null };
  }

  /** Converts a validated value to its stored form. @throws CredentialWithoutServer */
  async toStored(key: SettingKey, value: SettingInput): Promise<StoredValue> {
    if (isSecretKey(key)) return hashSecret(String(value));
    if (!isCredentialKey(key)) return value;
    const origin = this.originFor(key);
    if (origin === null) throw new CredentialWithoutServer(key, SETTINGS[key].for);
    return this.credentials.seal(key, { text: String(value), origin });
  }

  /** Resets a setting to its default; deletes a secret or credential. */
  reset(key: SettingKey): void {
    this.secrets.delete(key);
    if (isCredentialKey(key)) this.credentials.forget(key);
    if (isPlainKey(key)) this.values = { ...this.values, [key]: SETTINGS[key].default };
  }

  private adoptSecret(key: SecretKey, stored: unknown): Adoption {
    if (!isSecretHash(stored)) return { problem: 'is not a hash' };
    this.secrets.set(key, matcherOf(stored));
    return { storeAs: null };
  }

  private async adoptCredential(key: CredentialKey, stored: unknown): Promise<Adoption> {
    const opened = isStoredCredential(stored) ? await this.credentials.open(key, stored) : null;
    if (opened === null) return { problem: 'cannot be decrypted: enter it again' };
    this.credentials.keep(key, opened);
    return { storeAs: opened.byFormerKey ? await this.credentials.seal(key, opened) : null };
  }

  // An older version accepted invalid entries. The valid ones still apply.
  private adoptFitting(key: PlainKey, stored: unknown, { problem, entries }: InvalidValue): Adoption {
    if (!entries || !Array.isArray(stored)) return { problem };
    const fitting: unknown[] = stored.filter((_, index) => !entries.includes(index));
    this.values = { ...this.values, [key]: fitting };
    return { partly: problem };
  }

  private originFor(key: CredentialKey): string | null {
    return originOf(this.values[SETTINGS[key].for]);
  }
}

function defaults(): PlainValues {
  return Object.fromEntries(SETTING_KEYS.map((key) => [key, declarationOf(key).default])) as PlainValues;
}

function isSecretHash(value: unknown): value is SecretHash {
  return typeof value === 'object' && value !== null && 'salt' in value && 'hash' in value;
}

function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin;
  return origin === undefined || origin === 'null' ? null : origin;
}
