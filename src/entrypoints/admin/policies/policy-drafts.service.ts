import { Injectable } from '@nestjs/common';
import { Decisions } from '../../../access/policy/decisions.js';
import { policySetOf } from '../../../access/policy/policy.service.js';
import { PolicyStore } from '../../../access/policy/policy.store.js';
import { InvalidPolicy } from './policies.errors.js';
import type { PolicyDraft } from './policies.schema.js';
import { PolicyChecker } from './policy-checker.service.js';

/** The policies as they would be after a change. */
@Injectable()
export class PolicyDrafts {
  constructor(
    private readonly store: PolicyStore,
    private readonly checker: PolicyChecker,
  ) {}

  /** @throws InvalidPolicy when the draft is none */
  async decisionsWith(draft: PolicyDraft | undefined): Promise<Decisions> {
    const stored = await this.store.list();
    if (!draft) return new Decisions(policySetOf(stored));
    const others = stored.filter(({ name }) => name !== draft.name);
    if (draft.policy === null) return new Decisions(policySetOf(others));
    const { compiled, errors } = await this.checker.check(draft.policy);
    if (!compiled) throw new InvalidPolicy(errors);
    return new Decisions(policySetOf([...others, { name: draft.name, compiled, enabled: true }]));
  }
}
