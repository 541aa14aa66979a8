import { AppError } from '../../platform/errors/app-error.js';
import type { PolicyDecision } from '../../platform/events/app-events.js';
import { denialOf } from '../../access/policy/policy.service.js';

const RENAMED = 'It may have been renamed or removed: use one of the tools that are offered now.';

/** Thrown when no skill has this name, or the caller may not know about it. */
export class SkillNotFound extends AppError {
  /** @param whyAbsent what it takes to have it; undefined = unknown */
  constructor(name: string, whyAbsent?: string) {
    const advice = whyAbsent === undefined ? RENAMED : `It is not available now: ${whyAbsent}.`;
    super('not_found', 'skills.skill_not_found', `Unknown tool: ${name}. ${advice}`);
  }
}

/** Thrown when a client without the Tasks extension calls a skill that takes too long to wait for. */
export class TasksRequired extends AppError {
  constructor(name: string) {
    super(
      'invalid',
      'skills.tasks_required',
      `The tool ${name} takes longer than a call can wait. Call it with a client that declares the extension ` +
        'io.modelcontextprotocol/tasks (protocol 2026-07-28).',
    );
  }
}

/** Thrown when no prompt has this name. */
export class PromptNotFound extends AppError {
  constructor(name: string) {
    super(
      'not_found',
      'prompts.not_found',
      `Unknown prompt: ${name}. It may have been renamed or removed: use one of the prompts that are offered now.`,
    );
  }
}

/** Thrown when a prompt is called without an argument that it requires. */
export class PromptArgumentMissing extends AppError {
  constructor(prompt: string, argument: string) {
    super('invalid', 'prompts.argument_missing', `Prompt ${prompt} needs the argument "${argument}".`);
  }
}

/** Thrown when policy denies a client the use of a prompt. */
export class PromptDenied extends AppError {
  constructor(name: string, decision: PolicyDecision) {
    super('denied', 'prompts.denied', denialOf(decision, `the prompt ${name}`));
  }
}

/** Thrown when policy denies a client the use of a skill, outside of a call. */
export class SkillDenied extends AppError {
  constructor(name: string, decision: PolicyDecision) {
    super('denied', 'skills.denied', denialOf(decision, `the tool ${name}`));
  }
}
