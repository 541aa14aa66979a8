import { Injectable } from '@nestjs/common';
import { type ModuleCode, ModuleFailed, type ModuleReply, type ModuleRequest } from '#skill-host';
import {
  DEEPEST_CALL,
  inputRequired,
  isFollowRun,
  isInputRequired,
  type SkillContext,
  type SkillOutput,
  type SkillResult,
} from '#skill-kit';
import { SkillsService } from '../../../core/skills/skills.service.js';
import { ModuleHost } from '../module-host.service.js';
import type { DeclaredSkill, SettingValue } from '../declared/module.js';
import { assertMayCall, assertRequestFits, wantedSkillIn } from './allowed.js';
import { placeholdersFor } from './secret-placeholders.js';
import { ModuleFetch } from './module-fetch.service.js';
import { ModuleQueries } from './module-queries.service.js';
import { ModuleStates } from './module-states.service.js';
import { answersOf, readOutput } from './module-output.rules.js';
import { ModuleCallFailed, RequestRefused } from './module-calls.errors.js';

interface Called {
  name: string;
  code: ModuleCode;
  skill: DeclaredSkill;
  settings: Readonly<Record<string, SettingValue>>;
}

/** Calls skills of modules, and serves their requests during the call. */
@Injectable()
export class ModuleCalls {
  constructor(
    private readonly host: ModuleHost,
    private readonly requests: ModuleFetch,
    private readonly queries: ModuleQueries,
    private readonly states: ModuleStates,
    private readonly skills: SkillsService,
  ) {}

  /** @throws ModuleCallFailed, UnusableOutput, and the reason of the signal */
  async call({ name, code, skill, settings }: Called, input: object, context: SkillContext): Promise<SkillOutput> {
    const { client, signal } = context;
    const secrets = placeholdersFor(skill.uses.secrets);
    const answers = answersOf(context.answers, context.state);
    const given = {
      caller: { name: client.name, groups: client.groups },
      answers,
      secrets,
      settings,
    };
    const call = { skill: skill.name, input: JSON.stringify(input), context: JSON.stringify(given) };
    const handlers = {
      request: async (asked: ModuleRequest, stopped: AbortSignal): Promise<ModuleReply> => {
        assertRequestFits(asked);
        switch (asked.kind) {
          case 'fetch':
            return this.requests.fetch(asked, skill.uses, secrets, stopped);
          case 'query':
            return this.queries.query(asked, skill.uses, stopped);
          case 'skill':
            return this.callSkill(asked, skill, context, stopped);
          case 'state_get':
            return { value: await this.states.read(name, skill.uses) };
          case 'state_set':
            await this.states.write(name, skill.uses, asked.value);
            return { value: 'null' };
        }
      },
      progress: ({ progress, total, message }: { progress: number; total?: number; message?: string }) =>
        context.progress(progress, total, message),
    };
    const json = await this.host.call(code, call, handlers, signal).catch((error: unknown) => {
      throw error instanceof ModuleFailed ? new ModuleCallFailed(error.message) : error;
    });
    const output = readOutput(json);
    // The next round brings only the answers to these questions.
    return isInputRequired(output) ? inputRequired({ ...output, state: { answers } }) : output;
  }

  /** Calls another skill on behalf of the caller. */
  private async callSkill(
    { value }: ModuleRequest,
    { uses }: DeclaredSkill,
    { client, depth = 0, withoutSecrets }: SkillContext,
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
