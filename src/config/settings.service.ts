import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { EventBus } from '../events/event-bus.service.js';
import {
  CredentialWithoutServer,
  InvalidSetting,
  SettingLocked,
  SettingNotFound,
  SettingNotGenerated,
} from './config.errors.js';
import { type Credential, Credentials, isStoredCredential, type StoredCredential } from './credentials.service.js';
import { Environment } from '../environment/environment.js';
import { hashSecret, matcherOf, type SecretHash, type SecretMatcher } from '../secrets/secret-hash.rules.js';
import type { SealingKeys } from '../secrets/sealing-keys.service.js';
import { describeSetting, type SettingDescription, type SettingSource } from './setting-description.js';
import {
  checkValue,
  declarationOf,
  environmentVariableOf,
  isCredentialKey,
  isGuessable,
  isPlainKey,
  isSecretKey,
  isSettingKey,
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
import { SettingsStore } from './settings.store.js';

const logger = new Logger('Settings');

export interface SettingsSources {
  store: SettingsStore;
  environment: Environment;
  sealing: SealingKeys;
  events: EventBus;
}

/** A setting as it is stored: a secret as a hash, a credential encrypted. */
type StoredValue = SettingInput | SecretHash | StoredCredential;

/** The settings in force: from the environment, else as stored, else by default. Reading one costs nothing. */
export class SettingsService {
  private values: PlainValues = defaults();
  private readonly secrets = new Map<SettingKey, SecretMatcher>();
  private readonly stored = new Set<SettingKey>();
  /** What the database held when it was looked at last, as JSON. */
  private readonly seen = new Map<SettingKey, string>();
  private lastTurn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly store: SettingsStore,
    private readonly environment: Environment,
    private readonly events: EventBus,
    private readonly credentials: Credentials,
  ) {}

  /** The service with the stored settings in memory. */
  static async load({ store, environment, sealing, events }: SettingsSources): Promise<SettingsService> {
    const service = new SettingsService(store, environment, events, new Credentials(sealing));
    for (const [key, value] of environment.settings) service.take(key, value);
    const rows = serversFirst(await store.list());
    for (const { key, value } of rows) if (!service.isLocked(key)) await service.restore(key, value);
    await service.credentials.forgetFormerKeys();
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

  /** What to present to the server that is set; undefined when none is set, or it was entered for another server. */
  findCredential(key: CredentialKey): string | undefined {
    return this.credentials.find(key, this.originFor(key));
  }

  /** Why a credential that is set is not presented, and what to do; null when nothing is wrong. */
  credentialProblem(key: CredentialKey): string | null {
    return this.credentials.problemWith(key, this.originFor(key));
  }

  list(): SettingDescription[] {
    return SETTING_KEYS.map((key) => this.describe(key));
  }

  /** @throws SettingNotFound */
  describe(key: string): SettingDescription {
    const known = knownKey(key);
    const value = isPlainKey(known) ? this.values[known] : null;
    const problem = isCredentialKey(known) ? this.credentialProblem(known) : null;
    return describeSetting({ key: known, value, source: this.sourceOf(known), problem });
  }

  /** @throws SettingNotFound, SettingLocked, InvalidSetting, CredentialWithoutServer */
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
      (key) => !this.isLocked(key) && JSON.stringify(rows.get(key)) !== this.seen.get(key),
    );
    for (const key of changed) {
      const value = rows.get(key);
      if (value === undefined) this.forget(key);
      else await this.restore(key, value);
    }
    return changed;
  }

  private async save(key: SettingKey, value: SettingInput): Promise<void> {
    await this.inTurn(async () => {
      const stored = await this.toStored(key, value);
      await this.store.save(key, stored, new Date());
      this.stored.add(key);
      this.seen.set(key, JSON.stringify(stored));
      await this.apply(key, stored);
    });
    this.tellProblems(key);
    this.events.emit('setting.changed', { key });
  }

  private async toStored(key: SettingKey, value: SettingInput): Promise<StoredValue> {
    if (isSecretKey(key)) return hashSecret(String(value));
    if (!isCredentialKey(key)) return value;
    const origin = this.originFor(key);
    if (origin === null) throw new CredentialWithoutServer(key, SETTINGS[key].for);
    return this.credentials.seal(key, { text: String(value), origin });
  }

  /** What the environment decides is stored nowhere. */
  private take(key: SettingKey, value: SettingInput): void {
    if (isSecretKey(key)) {
      const variable = environmentVariableOf(key);
      if (isGuessable(key, String(value)))
        logger.warn(`${variable} is so short that it can be guessed: use a longer one`);
      this.secrets.set(key, matcherOf(hashSecret(String(value))));
    } else if (isCredentialKey(key)) {
      const origin = originOf(String(this.environment.settings.get(SETTINGS[key].for)));
      if (origin !== null) this.credentials.keep(key, { text: String(value), origin });
    } else this.values = { ...this.values, [key]: value };
  }

  /** What is wrong with a value that is not as it is stored today; null when it is in force. */
  private async apply(key: SettingKey, value: unknown): Promise<string | null> {
    if (isSecretKey(key)) {
      if (!isSecretHash(value)) return 'is not a hash';
      this.secrets.set(key, matcherOf(value));
      return null;
    }
    if (isCredentialKey(key)) {
      const opened = isStoredCredential(value) ? await this.credentials.open(key, value, this.originFor(key)) : null;
      if (opened === null) return 'can not be decrypted: enter it again';
      this.credentials.keep(key, opened);
      if (opened.isOutdated) await this.sealAnew(key, opened);
      return null;
    }
    const checked = checkValue(key, value);
    if ('problem' in checked) return checked.problem;
    this.values = { ...this.values, [key]: checked.value };
    return null;
  }

  // What an older or a newer version stored may not fit: then the default holds, and the log says so.
  private async restore(key: string, value: unknown): Promise<void> {
    if (!isSettingKey(key)) return;
    this.seen.set(key, JSON.stringify(value));
    const problem = await this.apply(key, value);
    if (problem === null) {
      this.stored.add(key);
      this.tellProblems(key);
      return;
    }
    logger.warn(`the stored ${key} ${problem}: ${this.stored.has(key) ? 'it is as before' : 'the default is used'}`);
  }

  private async sealAnew(key: CredentialKey, credential: Credential): Promise<void> {
    const stored = await this.credentials.seal(key, credential);
    await this.store.save(key, stored, new Date());
    this.seen.set(key, JSON.stringify(stored));
  }

  /** Of the credentials that a change concerns. */
  private tellProblems(changed: SettingKey): void {
    for (const key of SETTING_KEYS.filter(isCredentialKey)) {
      const problem = key === changed || SETTINGS[key].for === changed ? this.credentialProblem(key) : null;
      if (problem !== null) logger.warn(problem);
    }
  }

  private originFor(key: CredentialKey): string | null {
    return originOf(this.values[SETTINGS[key].for]);
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
    if (isCredentialKey(key)) this.credentials.forget(key);
    if (isPlainKey(key)) this.values = { ...this.values, [key]: SETTINGS[key].default };
  }

  private sourceOf(key: SettingKey): SettingSource {
    if (this.environment.settings.has(key)) return 'environment';
    return this.stored.has(key) ? 'stored' : 'default';
  }

  private changeableKey(key: string): SettingKey {
    const known = knownKey(key);
    if (this.isLocked(known)) throw new SettingLocked(known);
    return known;
  }

  private isLocked(key: string): boolean {
    return isSettingKey(key) && this.environment.settings.has(key);
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

/** A credential is read with the server that it is for. */
function serversFirst(rows: { key: string; value: unknown }[]): { key: string; value: unknown }[] {
  const isCredential = ({ key }: { key: string }) => isSettingKey(key) && isCredentialKey(key);
  return [...rows.filter((row) => !isCredential(row)), ...rows.filter(isCredential)];
}

function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin;
  return origin === undefined || origin === 'null' ? null : origin;
}
