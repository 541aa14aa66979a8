import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { EventBus } from '../events/event-bus.service.js';
import { InvalidSetting, SettingLocked, SettingNotFound, SettingNotGenerated } from './config.errors.js';
import { Environment } from './environment.js';
import { seal, type SealedText, unseal } from './sealed-text.rules.js';
import { hashSecret, matcherOf, type SecretHash, type SecretMatcher } from './secret-hash.rules.js';
import { SecretsService } from './secrets.service.js';
import { describeSetting, type SettingDescription, type SettingSource } from './setting-description.js';
import {
  checkValue,
  declarationOf,
  isCredentialKey,
  isPlainKey,
  isSecretKey,
  isSettingKey,
  SETTING_KEYS,
} from './settings.rules.js';
import {
  type CredentialKey,
  type PlainKey,
  type PlainValues,
  type SecretKey,
  type SettingInput,
  type SettingKey,
  SETTINGS,
} from './settings.schema.js';
import { SettingsStore } from './settings.store.js';

const SEALING_KEY = 'settings';

export interface SettingsSources {
  store: SettingsStore;
  environment: Environment;
  secrets: SecretsService;
  events: EventBus;
}

/** A setting as it is stored: a secret as a hash, a credential encrypted. */
type StoredValue = SettingInput | SecretHash | SealedText;

/** The settings in force: from the environment, else as stored, else by default. Reading one costs nothing. */
export class SettingsService {
  private values: PlainValues = defaults();
  private readonly secrets = new Map<SettingKey, SecretMatcher>();
  private readonly credentials = new Map<SettingKey, string>();
  private readonly stored = new Set<SettingKey>();
  /** What the database held when it was looked at last, as JSON. */
  private readonly seen = new Map<SettingKey, string>();
  private lastTurn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly store: SettingsStore,
    private readonly environment: Environment,
    private readonly events: EventBus,
    private readonly sealingKey: Buffer,
  ) {}

  /** The service with the stored settings in memory. */
  static async load({ store, environment, secrets, events }: SettingsSources): Promise<SettingsService> {
    const service = new SettingsService(store, environment, events, await secrets.get(SEALING_KEY));
    for (const { key, value } of await store.list()) service.restore(key, value);
    for (const [key, value] of environment.settings) service.apply(key, service.toStored(key, value));
    return service;
  }

  get<Key extends PlainKey>(key: Key): PlainValues[Key] {
    return this.values[key];
  }

  /** Whether it has a value other than by default; for a secret, whether there is one. */
  isSet(key: SettingKey): boolean {
    return this.sourceOf(key) !== 'default';
  }

  /** Whether this is the secret, in constant time; false when none is set. */
  matchesSecret(key: SecretKey, presented: string): boolean {
    return this.secrets.get(key)?.(presented) ?? false;
  }

  /** What to present to another server. */
  findCredential(key: CredentialKey): string | undefined {
    return this.credentials.get(key);
  }

  list(): SettingDescription[] {
    return SETTING_KEYS.map((key) => this.describe(key));
  }

  /** @throws SettingNotFound */
  describe(key: string): SettingDescription {
    const known = knownKey(key);
    return describeSetting(known, isPlainKey(known) ? this.values[known] : null, this.sourceOf(known));
  }

  /** @throws SettingNotFound, SettingLocked, InvalidSetting */
  async set(key: string, value: unknown): Promise<SettingDescription> {
    const known = this.changeableKey(key);
    const checked = checkValue(known, value);
    if ('problem' in checked) throw new InvalidSetting(known, checked.problem);
    await this.save(known, checked.value);
    return this.describe(known);
  }

  /** Back to the default; a secret or a credential is forgotten. @throws SettingNotFound, SettingLocked */
  async reset(key: string): Promise<SettingDescription> {
    const known = this.changeableKey(key);
    await this.inTurn(async () => {
      await this.store.delete(known);
      this.forget(known);
    });
    this.events.emit('setting.changed', { key: known });
    return this.describe(known);
  }

  /** Makes a new secret; this is the only time it can be seen. @throws SettingNotFound, SettingLocked, SettingNotGenerated */
  async generate(key: string): Promise<string> {
    const known = this.changeableKey(key);
    if (!isSecretKey(known)) throw new SettingNotGenerated(known);
    const secret = `ask_${randomBytes(32).toString('base64url')}`;
    await this.save(known, secret);
    return secret;
  }

  /** Takes over what was stored on another replica. */
  async reload(): Promise<void> {
    const changed = await this.inTurn(() => this.takeOver());
    for (const key of changed) this.events.emit('setting.changed', { key, isFromElsewhere: true });
  }

  /** Returns what is other than before. */
  private async takeOver(): Promise<SettingKey[]> {
    const rows = new Map((await this.store.list()).map(({ key, value }) => [key, value]));
    const changed = SETTING_KEYS.filter(
      (key) => !this.environment.settings.has(key) && JSON.stringify(rows.get(key)) !== this.seen.get(key),
    );
    for (const key of changed) {
      const value = rows.get(key);
      if (value === undefined) this.forget(key);
      else this.restore(key, value);
    }
    return changed;
  }

  private async save(key: SettingKey, value: SettingInput): Promise<void> {
    const stored = this.toStored(key, value);
    await this.inTurn(async () => {
      await this.store.save(key, stored, new Date());
      this.stored.add(key);
      this.seen.set(key, JSON.stringify(stored));
      this.apply(key, stored);
    });
    this.events.emit('setting.changed', { key });
  }

  private toStored(key: SettingKey, value: SettingInput): StoredValue {
    if (isSecretKey(key)) return hashSecret(String(value));
    return isCredentialKey(key) ? seal(String(value), this.sealingKey, key) : value;
  }

  /** What is wrong with a value that is not as it is stored today; null when it is in force. */
  private apply(key: SettingKey, value: unknown): string | null {
    if (isSecretKey(key)) {
      if (!isSecretHash(value)) return 'is not a hash';
      this.secrets.set(key, matcherOf(value));
      return null;
    }
    if (isCredentialKey(key)) {
      const text = isSealedText(value) ? unseal(value, this.sealingKey, key) : null;
      if (text === null) return 'can not be decrypted';
      this.credentials.set(key, text);
      return null;
    }
    const checked = checkValue(key, value);
    if ('problem' in checked) return checked.problem;
    this.values = { ...this.values, [key]: checked.value };
    return null;
  }

  // What an older or a newer version stored may not fit: then the default holds, and the log says so.
  private restore(key: string, value: unknown): void {
    if (!isSettingKey(key)) return;
    this.seen.set(key, JSON.stringify(value));
    const problem = this.apply(key, value);
    if (problem === null) this.stored.add(key);
    else
      new Logger('Settings').warn(
        `the stored ${key} ${problem}: ${this.stored.has(key) ? 'it is as before' : 'the default is used'}`,
      );
  }

  /** What is read from the database is not applied over what is being saved. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.lastTurn.then(work);
    this.lastTurn = turn.catch(() => undefined);
    return turn;
  }

  private forget(key: SettingKey): void {
    this.stored.delete(key);
    this.seen.delete(key);
    this.secrets.delete(key);
    this.credentials.delete(key);
    if (isPlainKey(key)) this.apply(key, SETTINGS[key].default);
  }

  private sourceOf(key: SettingKey): SettingSource {
    if (this.environment.settings.has(key)) return 'environment';
    return this.stored.has(key) ? 'stored' : 'default';
  }

  private changeableKey(key: string): SettingKey {
    const known = knownKey(key);
    if (this.environment.settings.has(known)) throw new SettingLocked(known);
    return known;
  }
}

function knownKey(key: string): SettingKey {
  if (!isSettingKey(key)) throw new SettingNotFound(key);
  return key;
}

function defaults(): PlainValues {
  return Object.fromEntries(SETTING_KEYS.map((key) => [key, declarationOf(key).default])) as PlainValues;
}

function isSecretHash(value: unknown): value is SecretHash {
  return typeof value === 'object' && value !== null && 'salt' in value && 'hash' in value;
}

function isSealedText(value: unknown): value is SealedText {
  return typeof value === 'object' && value !== null && 'sealed' in value && typeof value.sealed === 'string';
}
