import { Injectable } from '@nestjs/common';
import { isStorable } from '#bounded-json';
import { type Secret, standardError } from '#open-workflow';
import { SEALED_COLUMNS } from '../../../platform/secrets/sealed-columns.store.js';
import { SealingKeys } from '../../../platform/secrets/sealing-keys.service.js';
import { limitsOf, refusalOf } from './secret-limits.js';
import {
  MAX_SECRET,
  SECRET_NAME,
  type SecretChange,
  type SecretValue,
  type WorkflowSecret,
} from './workflow-secret.js';
import { WorkflowSecretStore } from './workflow-secret.store.js';
import {
  InvalidSecretName,
  InvalidSecretValue,
  SecretValueMissing,
  TooManySecrets,
  WorkflowSecretNotFound,
} from './workflow-secrets.errors.js';

const { purposeOf } = SEALED_COLUMNS.workflowSecrets;

/** Stores the secrets that workflows use by name. Only steps of runs can read a value. */
@Injectable()
export class WorkflowSecrets {
  constructor(
    private readonly store: WorkflowSecretStore,
    private readonly sealing: SealingKeys,
  ) {}

  /** Returns all secrets without their values, ordered by name. */
  list(): Promise<WorkflowSecret[]> {
    return this.store.list();
  }

  /**
   * Adds a secret, or changes the given members of it.
   * @throws InvalidSecretName, InvalidSecretValue, SecretValueMissing, InvalidSecretLimit, TooManySecretLimits, TooManySecrets
   */
  async set(name: string, { value, ...limits }: SecretChange, now = new Date()): Promise<WorkflowSecret> {
    if (!SECRET_NAME.test(name)) throw new InvalidSecretName();
    const change = { ...limitsOf(limits), updatedAt: now };
    if (value === undefined) {
      if (!(await this.store.update(name, change))) throw new SecretValueMissing(name);
    } else {
      const sealed = await this.sealed(name, value);
      if (!(await this.store.save(name, { ...change, sealed }))) throw new TooManySecrets();
    }
    const saved = (await this.store.list()).find((secret) => secret.name === name);
    if (!saved) throw new WorkflowSecretNotFound(name);
    return saved;
  }

  /** @throws WorkflowSecretNotFound */
  async remove(name: string): Promise<void> {
    if (!(await this.store.delete(name))) throw new WorkflowSecretNotFound(name);
  }

  /**
   * Returns a secret for use within a step: its value must not be recorded.
   * @param onlyLimited true when it must be limited to hosts and to skills
   * @throws WorkflowError (authorization) when there is no such secret, it cannot be decrypted, or it has no limits
   */
  async resolve(name: string, { onlyLimited = false } = {}): Promise<Secret> {
    const found = await this.store.find(name);
    if (found === undefined) throw unusable(name, 'does not exist: an administrator has to set it');
    if (onlyLimited && (found.hosts === null || found.skills === null)) throw unlimited(name);
    const opened = await this.sealing.open({ sealed: found.sealed }, purposeOf(name));
    if (opened === null) throw unusable(name, 'cannot be decrypted: an administrator has to set it again');
    return {
      value: JSON.parse(opened.text) as SecretValue,
      isLimited: found.hosts !== null || found.skills !== null,
      refusalOf: (destination) => refusalOf(found, destination),
    };
  }

  /** @throws InvalidSecretValue */
  private async sealed(name: string, value: unknown): Promise<string> {
    if (!isSecretValue(value)) throw new InvalidSecretValue();
    return (await this.sealing.seal(JSON.stringify(value), purposeOf(name))).sealed;
  }
}

const unusable = (name: string, reason: string) =>
  standardError('authorization', `the secret ${JSON.stringify(name.slice(0, 100))} ${reason}`);

const unlimited = (name: string) =>
  standardError(
    'authorization',
    `The secret ${name} may be used anywhere, and so not by a proposal that is tried: an administrator limits it to hosts and skills on the page Secrets.`,
  );

function isSecretValue(value: unknown): value is SecretValue {
  if (JSON.stringify(value)?.length > MAX_SECRET) return false;
  if (typeof value === 'string') return value !== '' && isStorable(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const texts = Object.entries(value);
  return texts.length > 0 && texts.every(([name, text]) => name !== '' && typeof text === 'string');
}
