import { Injectable } from '@nestjs/common';
import { type ModuleCode, ModuleFailed, type ModuleRequest } from '#skill-host';
import { type InputRequest, isInputRequired, type SkillContext, type SkillOutput } from '#skill-kit';
import { SchemaChecks } from '../../../core/skills/schema-checks.service.js';
import type { DeclaredSkill, SkillModule } from '../declared/module.js';
import { valuesFor } from '../declared/settings.rules.js';
import { ModuleHost } from '../module-host.service.js';
import { ModuleCallFailed, UnusableOutput } from './module-calls.errors.js';
import { readOutput } from './module-output.rules.js';
import { askPerson, readAnswers, schemaOf } from './module-questions.js';
import { ModuleRequests } from './module-requests.service.js';
import { placeholdersFor } from './secret-placeholders.js';

interface Called {
  module: SkillModule;
  code: ModuleCode;
  skill: DeclaredSkill;
}

/** Calls skills of modules. */
@Injectable()
export class ModuleCalls {
  constructor(
    private readonly host: ModuleHost,
    private readonly requests: ModuleRequests,
    private readonly checks: SchemaChecks,
  ) {}

  /** @throws ModuleCallFailed, UnusableOutput, and the reason of the signal */
  async call({ module, code, skill }: Called, input: object, context: SkillContext): Promise<SkillOutput> {
    const { client, signal } = context;
    const { uses } = skill;
    const given = await readAnswers(context, (schema, answer) =>
      this.checks.problemsElsewhere(schema, answer, { signal }),
    );
    const { answers } = given;
    const settings = valuesFor(skill.settings, module.given.values);
    const placeholders = placeholdersFor(uses.secrets);
    const secrets = { placeholders, sent: new Map() };
    const caller = { name: client.name, groups: client.groups };
    const call = {
      skill: skill.name,
      input: JSON.stringify(input),
      context: JSON.stringify({ caller, answers, secrets: placeholders, settings }),
    };
    const handlers = {
      request: (asked: ModuleRequest, stopped: AbortSignal) =>
        this.requests.serve({ module, uses, secrets, context }, asked, stopped),
      progress: ({ progress, total, message }: { progress: number; total?: number; message?: string }) =>
        context.progress(progress, total, message),
    };
    const json = await this.host.call(code, call, handlers, signal).catch((error: unknown) => {
      throw error instanceof ModuleFailed ? new ModuleCallFailed(error.message) : error;
    });
    const output = readOutput(json);
    if (!isInputRequired(output)) return output;
    const questions = output.inputRequests ?? {};
    await this.assertCanBeAnswered(questions, signal);
    return askPerson(questions, given);
  }

  /** @throws UnusableOutput when the schema of a question is not valid; the reason of the signal */
  private async assertCanBeAnswered(questions: Record<string, InputRequest>, signal: AbortSignal): Promise<void> {
    for (const [key, question] of Object.entries(questions)) {
      const [problem] = await this.checks.schemaProblems(schemaOf(question), { signal });
      if (problem !== undefined)
        throw new UnusableOutput(`the schema of the question ${key.slice(0, 60)} is not valid: ${problem}`);
    }
  }
}
