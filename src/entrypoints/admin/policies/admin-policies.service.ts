import { Injectable } from '@nestjs/common';
import { REQUIRE_APPROVAL } from '../../../access/policy/decisions.js';
import type { NewPolicy, StoredPolicy } from '../../../access/policy/policy.js';
import { versionOf } from '../../../access/policy/policy.js';
import { PolicyService } from '../../../access/policy/policy.service.js';
import { PolicyStore } from '../../../access/policy/policy.store.js';
import type { NewPolicyBody, PolicyBody, PolicyCheckView, PolicyView, SavedPolicyView } from './policies.schema.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import { InvalidPolicy, PolicyExists, PolicyConflict, PolicyNotFound, TooManyPolicies } from './policies.errors.js';
import { type CheckedPolicy, PolicyChecker } from './policy-checker.service.js';
import { PolicyReader } from './policy-reader.service.js';

/** Lists, saves and deletes policies for administrators. A change is in effect when the response is sent. */
@Injectable()
export class AdminPolicies {
  constructor(
    private readonly store: PolicyStore,
    private readonly policies: PolicyService,
    private readonly checker: PolicyChecker,
    private readonly reader: PolicyReader,
  ) {}

  async list(): Promise<PolicyView[]> {
    return (await this.store.list()).map(toView);
  }

  /** @throws PolicyNotFound */
  async get(name: string): Promise<PolicyView> {
    return toView(await this.find(name));
  }

  /** @throws InvalidPolicy, PolicyExists, TooManyPolicies */
  async create({ name, policy, enabled = true }: NewPolicyBody, by: string): Promise<SavedPolicyView> {
    const checked = await this.checked(policy);
    const added = { name, policy, compiled: checked.compiled, enabled, updatedAt: new Date(), updatedBy: by };
    const outcome = await this.store.add(added);
    if (outcome === 'full') throw new TooManyPolicies();
    if (outcome === 'taken') throw new PolicyExists(name);
    return this.saved(added, checked);
  }

  /**
   * @param basedOn the version that the caller knows; undefined = any
   * @throws InvalidPolicy, OutdatedChange, PolicyNotFound
   */
  async update(name: string, change: PolicyBody, by: string, basedOn?: string): Promise<SavedPolicyView> {
    const before = await this.findVersion(name, basedOn);
    const { policy, enabled } = change;
    const checked = policy === undefined ? { compiled: before.compiled, warnings: [] } : await this.checked(policy);
    const changed: NewPolicy = {
      name,
      policy: policy ?? before.policy,
      compiled: checked.compiled,
      enabled: enabled ?? before.enabled,
      updatedAt: new Date(),
      updatedBy: by,
    };
    // Another change came first: retry on its result.
    if (!(await this.store.replace(changed, before))) return this.update(name, change, by, basedOn);
    return this.saved(changed, checked);
  }

  /**
   * @param basedOn the version that the caller knows; undefined = any
   * @throws OutdatedChange, PolicyNotFound
   */
  async remove(name: string, basedOn?: string): Promise<void> {
    const before = await this.findVersion(name, basedOn);
    if (!(await this.store.delete(name, before))) return this.remove(name, basedOn);
    await this.policies.changed();
  }

  async check(policy: string): Promise<PolicyCheckView> {
    const { compiled, errors, warnings } = await this.checker.check(policy);
    return { errors, warnings, formatted: compiled && (await this.reader.format(policy)) };
  }

  private async find(name: string): Promise<StoredPolicy> {
    const policy = await this.store.find(name);
    if (!policy) throw new PolicyNotFound(name);
    return policy;
  }

  private async findVersion(name: string, version: string | undefined): Promise<StoredPolicy> {
    const policy = await this.find(name);
    if (version === undefined || version === versionOf(policy)) return policy;
    throw new OutdatedChange(new PolicyConflict(name), toView(policy));
  }

  private async checked(policy: string): Promise<UsablePolicy> {
    const { compiled, errors, warnings } = await this.checker.check(policy);
    if (!compiled) throw new InvalidPolicy(errors);
    return { compiled, warnings };
  }

  private async saved({ name }: NewPolicy, { warnings }: UsablePolicy): Promise<SavedPolicyView> {
    await this.policies.changed();
    return { ...(await this.get(name)), warnings };
  }
}

type UsablePolicy = Pick<CheckedPolicy, 'warnings'> & { compiled: StoredPolicy['compiled'] };

const toView = ({ compiled: { effect, annotations = {} }, ...policy }: StoredPolicy): PolicyView => ({
  ...policy,
  version: versionOf(policy),
  effect,
  asks: effect === 'permit' && REQUIRE_APPROVAL in annotations,
});
