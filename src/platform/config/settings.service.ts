import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Environment } from '../environment/environment.js';
import { EventBus } from '../events/event-bus.service.js';
import type { SealingKeys } from '../secrets/sealing-keys.service.js';
import {
  checkValue,
  isCredentialKey,
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
import {
  InvalidSetting,
  SettingLocked,
  SettingConflict,
  SettingNotFound,
  SettingNotGenerated,
} from './config.errors.js';
import { Credentials } from './credentials.js';
import { describeSetting, type SettingDescription, type SettingSource } from './setting-description.js';
import { SettingsInForce, type StoredValue } from './settings-in-force.js';
import { SettingsStore, type StoredSetting } from './settings.store.js';
import { SerialQueue } from '../periodic/serial-queue.js';

const logger = new Logger('Settings');

export interface SettingsSources {
  store: SettingsStore;
  environment: Environment;
  sealing: SealingKeys;
  events: EventBus;
}

/**
 * Reads settings from memory and changes them in the database. The environment overrides stored values, and these override the
 * defaults.
 */
export class SettingsService {
  private readonly stored = new Set<SettingKey>();
  /** The stored values as last read from the database, as JSON. */
  private readonly seen = new Map<SettingKey, string>();
  /** When the stored values were saved. */
  private readonly storedAt = new Map<SettingKey, string>();
  /** Data read from the database must not overwrite a change being saved. */
  private readonly queue = new SerialQueue();

  private constructor(
    private readonly store: SettingsStore,
    private readonly environment: Environment,
    private readonly events: EventBus,
    private readonly inForce: SettingsInForce,
  ) {}

  static async load({ store, environment, sealing, events }: SettingsSources): Promise<SettingsService> {
    const credentials = new Credentials(sealing);
    const service = new SettingsService(store, environment, events, new SettingsInForce(credentials));
    service.inForce.override(environment.settings);
    for (const row of await store.list()) if (!service.isLocked(row.key)) await service.restore(row);
    await credentials.forgetFormerKeys();
    return service;
  }

  get<Key extends PlainKey>(key: Key): PlainValues[Key] {
    return this.inForce.get(key);
  }

  /** Returns whether the environment or an administrator has set a value. */
  isSet(key: SettingKey): boolean {
    return this.sourceOf(key) !== 'default';
  }

  /** Compares with the secret in constant time; returns false when none is set. */
  matchesSecret(key: SecretKey, presented: string): boolean {
    return this.inForce.matchesSecret(key, presented);
  }

  /** Returns the credential for the configured server; undefined when there is none, or it was entered for another server. */
  findCredential(key: CredentialKey): string | undefined {
    return this.inForce.findCredential(key);
  }

  /** Returns why a stored credential is not presented, and what to do; null when there is no problem. */
  credentialProblem(key: CredentialKey): string | null {
    return this.inForce.credentialProblem(key);
  }

  list(): SettingDescription[] {
    return SETTING_KEYS.map((key) => this.describe(key));
  }

  /** @throws SettingNotFound */
  describe(key: string): SettingDescription {
    const known = toSettingKey(key);
    const value = isPlainKey(known) ? this.inForce.get(known) : null;
    const problem = isCredentialKey(known) ? this.credentialProblem(known) : null;
    return describeSetting({
      key: known,
      value,
      source: this.sourceOf(known),
      problem,
      version: this.versionOf(known),
    });
  }

  /**
   * @param basedOn the version that the caller knows; another version is not overwritten
   * @throws SettingNotFound, SettingLocked, SettingConflict, InvalidSetting, CredentialWithoutServer
   */
  async set(key: string, value: unknown, basedOn?: string): Promise<SettingDescription> {
    const known = this.changeableKey(key);
    const checked = checkValue(known, value);
    if ('problem' in checked) throw new InvalidSetting(known, checked);
    await this.save(known, checked.value, basedOn);
    return this.describe(known);
  }

  /**
   * Resets a setting to its default; deletes a secret or credential.
   * @param basedOn the version that the caller knows; another version is not deleted
   * @throws SettingNotFound, SettingLocked, SettingConflict
   */
  async reset(key: string, basedOn?: string): Promise<SettingDescription> {
    const known = this.changeableKey(key);
    await this.queue.run(async () => {
      if (!(await this.store.delete(known, storedAtOf(basedOn)))) await this.refuse(known);
      this.forget(known);
    });
    this.events.emit('setting.changed', { key: known });
    return this.describe(known);
  }

  /**
   * Generates a new secret and returns it; it cannot be read again. @throws SettingNotFound, SettingLocked,
   * SettingNotGenerated
   */
  async generate(key: string): Promise<string> {
    const known = this.changeableKey(key);
    if (!isSecretKey(known)) throw new SettingNotGenerated(known);
    const secret = `ask_${randomBytes(32).toString('base64url')}`;
    await this.save(known, secret);
    return secret;
  }

  /** Applies the changes of other replicas. */
  async reload(): Promise<void> {
    await this.queue.run(() => this.takeOver());
  }

  private async takeOver(): Promise<void> {
    const rows = new Map((await this.store.list()).map((row) => [row.key, row]));
    const changed = SETTING_KEYS.filter(
      (key) => !this.isLocked(key) && JSON.stringify(rows.get(key)?.value) !== this.seen.get(key),
    );
    for (const key of changed) {
      const row = rows.get(key);
      if (!row) this.forget(key);
      else await this.restore(row);
    }
    for (const key of SETTING_KEYS) this.noteStoredAt(key, rows.get(key)?.updatedAt);
    for (const key of changed) this.events.emit('setting.changed', { key, isFromElsewhere: true });
  }

  /** Applies another replica's change, and reports the conflict. @throws SettingConflict */
  private async refuse(key: SettingKey): Promise<never> {
    await this.takeOver();
    throw new SettingConflict(this.describe(key));
  }

  private async save(key: SettingKey, value: SettingInput, basedOn?: string): Promise<void> {
    await this.queue.run(async () => {
      const stored = await this.inForce.toStored(key, value);
      if (!(await this.keep(key, stored, storedAtOf(basedOn)))) await this.refuse(key);
      await this.inForce.adopt(key, stored);
    });
    this.warnOfCredentials(key);
    this.events.emit('setting.changed', { key });
  }

  // A value stored by an older or newer version may be invalid. Then the default applies, and a warning is logged.
  private async restore({ key, value, updatedAt }: StoredSetting): Promise<void> {
    if (!isSettingKey(key)) return;
    this.storedAt.set(key, updatedAt);
    this.seen.set(key, JSON.stringify(value));
    const adoption = await this.inForce.adopt(key, value);
    if ('partly' in adoption) logger.warn(`the stored ${key} ${adoption.partly}: its other entries are used`);
    if ('problem' in adoption) {
      const now = this.stored.has(key) ? 'it is as before' : 'the default is used';
      logger.warn(`the stored ${key} ${adoption.problem}: ${now}`);
      return;
    }
    this.stored.add(key);
    if ('storeAs' in adoption && adoption.storeAs) await this.keep(key, adoption.storeAs);
    this.warnOfCredentials(key);
  }

  /** @param known when the value to replace was saved; undefined = replace any value */
  private async keep(key: SettingKey, stored: StoredValue, known?: string | null): Promise<boolean> {
    const at = this.nextMoment(key);
    if (!(await this.store.save(key, stored, at, known))) return false;
    this.stored.add(key);
    this.storedAt.set(key, at.toISOString());
    this.seen.set(key, JSON.stringify(stored));
    return true;
  }

  // Later than the last change of the setting, even one in the same millisecond.
  private nextMoment(key: SettingKey): Date {
    const last = Date.parse(this.storedAt.get(key) ?? '') || 0;
    return new Date(Math.max(Date.now(), last + 1));
  }

  private noteStoredAt(key: SettingKey, updatedAt: string | undefined): void {
    if (updatedAt === undefined) this.storedAt.delete(key);
    else this.storedAt.set(key, updatedAt);
  }

  private versionOf(key: SettingKey): string {
    return this.environment.settings.has(key) ? 'environment' : (this.storedAt.get(key) ?? DEFAULT_VERSION);
  }

  /** Logs problems of the credentials that a change of this setting affects. */
  private warnOfCredentials(changed: SettingKey): void {
    for (const key of SETTING_KEYS.filter(isCredentialKey)) {
      const problem = key === changed || SETTINGS[key].for === changed ? this.credentialProblem(key) : null;
      if (problem !== null) logger.warn(problem);
    }
  }

  private forget(key: SettingKey): void {
    this.stored.delete(key);
    this.seen.delete(key);
    this.storedAt.delete(key);
    this.inForce.reset(key);
  }

  private sourceOf(key: SettingKey): SettingSource {
    if (this.environment.settings.has(key)) return 'environment';
    return this.stored.has(key) ? 'stored' : 'default';
  }

  private changeableKey(key: string): SettingKey {
    const known = toSettingKey(key);
    if (this.isLocked(known)) throw new SettingLocked(known);
    return known;
  }

  private isLocked(key: string): boolean {
    return isSettingKey(key) && this.environment.settings.has(key);
  }
}

/** The version of a setting that is not stored. */
const DEFAULT_VERSION = 'default';

/** Returns when a version of a setting was saved; null = it is not stored; undefined = no version given. */
const storedAtOf = (version: string | undefined): string | null | undefined =>
  version === DEFAULT_VERSION ? null : version;

function toSettingKey(key: string): SettingKey {
  if (!isSettingKey(key)) throw new SettingNotFound(key);
  return key;
}
