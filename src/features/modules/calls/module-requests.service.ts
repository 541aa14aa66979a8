import { Injectable } from '@nestjs/common';
import type { ModuleReply, ModuleRequest } from '#skill-host';
import { DEEPEST_CALL, isFollowRun, isInputRequired, type SkillContext, type SkillResult } from '#skill-kit';
import { SkillsService } from '../../../core/skills/skills.service.js';
import type { DeclaredUses } from '../declared/module.js';
import type { StateOwner } from '../module.store.js';
import { assertMayCall, assertRequestFits, wantedSkillIn } from './allowed.js';
import { RequestRefused } from './module-calls.errors.js';
import { ModuleFetch } from './module-fetch.service.js';
import { ModuleQueries } from './module-queries.service.js';
import { ModuleStates } from './module-states.service.js';
import type { CallSecrets } from './secret-placeholders.js';

/** A call of a module, and what its skill may use. */
export interface ModuleCall {
  module: StateOwner;
  uses: DeclaredUses;
  secrets: CallSecrets;
  context: SkillContext;
}

/** Serves what modules request during their calls. */
@Injectable()
export class ModuleRequests {
  constructor(
    private readonly requests: ModuleFetch,
    private readonly queries: ModuleQueries,
    private readonly states: ModuleStates,
    private readonly skills: SkillsService,
  ) {}

  /** @throws RequestRefused, and the reason of the signal */
  async serve(call: ModuleCall, asked: ModuleRequest, signal: AbortSignal): Promise<ModuleReply> {
    const { module, uses, secrets } = call;
    assertRequestFits(asked);
    switch (asked.kind) {
      case 'fetch':
        return this.requests.fetch(asked, uses, secrets, signal);
      case 'query':
        return this.queries.query(asked, uses, signal);
      case 'skill':
        return this.callSkill(call, asked, signal);
      case 'state_get':
        return { value: await this.states.read(module, uses) };
      case 'state_set':
        await this.states.write(module, uses, asked.value);
        return { value: 'null' };
    }
  }

  /** Calls another skill on behalf of the caller. */
  private async callSkill(
    { uses, context: { client, depth = 0, withoutSecrets } }: ModuleCall,
    { value }: ModuleRequest,
    signal: AbortSignal,
  ): Promise<ModuleReply> {
    const { name, input } = wantedSkillIn(value);
    assertMayCall(name, uses);
    if (depth >= DEEPEST_CALL)
      throw new RequestRefused(
        `${name} was not called: calls and runs start each other more than ${DEEPEST_CALL} levels deep`,
      );
    const called = { ...ALONE, signal, depth: depth + 1, withoutSecrets };
    const output = await this.skills.call(client, name, input, called);
    if (isInputRequired(output)) throw new RequestRefused(`${name} cannot be called by a module: it asks its caller`);
    // Runs that take longer, or wait for a person, continue.
    if (isFollowRun(output)) return { value: JSON.stringify(output.message) };
    const result = valueOf(output);
    if (output.isError) throw new RequestRefused(typeof result === 'string' ? result : JSON.stringify(result));
    return { value: JSON.stringify(result) };
  }
}

/** Options of a call without progress, logs or questions to the client. */
const ALONE = {
  answers: {},
  state: undefined,
  canAsk: false,
  followsTasks: false,
  step: null,
  progress: () => undefined,
  log: () => undefined,
  releaseConnection: () => undefined,
};

/** The part of a result that a module gets: its structured content, or its texts. */
const valueOf = ({ structuredContent, content }: SkillResult): unknown =>
  structuredContent ?? content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
