import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModuleCode, ModuleFailed, type Progress, SkillHost } from '#skill-host';
import { failure, isInputRequired, type JsonObject, parseBySchema, problemsBySchema } from '#skill-kit';
import {
  cancelledMessage,
  contradictsMessage,
  failedMessage,
  invalidMessage,
  timeoutMessage,
} from '../../../core/skills/call-messages.js';
import { toSkillResult } from '../../../core/skills/skill-execution.js';
import { readOutput } from '../calls/module-output.rules.js';
import { moduleFileAt, readModuleFiles } from '../folder/module-files.js';
import { readDeclaration } from '../declared/declaration.rules.js';
import { type DeclaredSkill, digestOf, NO_ARGUMENTS } from '../declared/module.js';
import { problemsOfValues, settingsOf, valuesFor } from '../declared/settings.rules.js';
import { InvalidModule, InvalidModuleSettings } from '../modules.errors.js';
import type { TrialOptions, TrialResult } from './skill-test.js';
import { TrialServices } from './trial-services.js';
import { AppError } from '../../../platform/errors/app-error.js';

export class SkillNotInModule extends AppError {
  constructor(name: string, names: readonly string[]) {
    super('not_found', 'modules.skill_not_found', `The module has no skill ${name}: it has ${names.join(', ')}.`);
  }
}

/** Thrown when a call names none of the several skills of a module. */
class SkillNotNamed extends AppError {
  constructor(names: readonly string[]) {
    const message = `The module has ${names.length} skills: choose ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, with --skill, or with the option skill in a test.`;
    super('invalid', 'modules.skill_not_named', message);
  }
}

const LIMIT_MS = 30_000;
/** The host ends soon after the last call, so that the calling process can exit. */
const IDLE_MS = 1_000;
const newHost = () =>
  new SkillHost({ idleMs: IDLE_MS, onLog: (_key, level, line) => console.error(`${level}: ${line}`) });
let host = newHost();

/** Ends the process that runs the modules, and the calls in it. Later calls start another one. */
export function stopTrials(): Promise<void> {
  const stopped = host.stop();
  host = newHost();
  return stopped;
}

/** Loads a module as the service does. @throws NotASkillModule; InvalidModule with every mistake */
export async function loadModule(module: string | URL): Promise<{ code: ModuleCode; skills: DeclaredSkill[] }> {
  const path = resolve(module instanceof URL || module.startsWith('file:') ? fileURLToPath(module) : module);
  const found = await moduleFileAt(path);
  const { file, problem } = found;
  const files = problem === null ? await readModuleFiles(found) : null;
  if (files === null) throw new InvalidModule(file, [problem ?? 'it changed while it was read: try again']);
  const code = { key: `${path} ${digestOf(files)}`, file, files, hasTypes: true };
  const opened = await host.open(code).catch((error: unknown) => {
    throw error instanceof ModuleFailed ? new InvalidModule(file, [error.message]) : error;
  });
  const declared = readDeclaration(opened.declaration);
  if ('problems' in declared) throw new InvalidModule(file, declared.problems);
  return { code, skills: declared.skills };
}

/** See skill-test.d.ts. @throws NotASkillModule, InvalidModule, InvalidModuleSettings, SkillNotNamed, SkillNotInModule */
export async function callSkill(
  module: string | URL,
  args: JsonObject = {},
  options: TrialOptions = {},
): Promise<TrialResult> {
  const { code, skills } = await loadModule(module);
  const skill = skillAmong(skills, options.skill);
  const problems = problemsOfValues(settingsOf(skills), options.settings ?? {});
  if (problems.length > 0) throw new InvalidModuleSettings(problems);
  const services = new TrialServices(skill.uses, options);
  return { ...(await resultOf(code, skill, services, args, options)), state: services.state };
}

/** @throws SkillNotNamed, SkillNotInModule */
function skillAmong(skills: readonly DeclaredSkill[], wanted: string | undefined): DeclaredSkill {
  const names = skills.map(({ name }) => name);
  if (wanted === undefined && skills.length > 1) throw new SkillNotNamed(names);
  const found = skills.find(({ name }) => name === (wanted ?? names[0]));
  if (!found) throw new SkillNotInModule(wanted ?? '', names);
  return found;
}

async function resultOf(
  code: ModuleCode,
  skill: DeclaredSkill,
  services: TrialServices,
  args: JsonObject,
  options: TrialOptions,
): Promise<Omit<TrialResult, 'state'>> {
  const { name, input, output } = skill;
  const parsed = parseBySchema(input ?? NO_ARGUMENTS, args);
  if (!parsed || 'problems' in parsed) return failure(invalidMessage(name, parsed?.problems ?? []));
  const limitMs = options.timeoutMs ?? LIMIT_MS;
  const deadline = AbortSignal.timeout(limitMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  try {
    const context = JSON.stringify(contextOf(skill, services, options));
    const call = { skill: name, input: JSON.stringify(parsed.input), context };
    const progress = (report: Progress) => options.onProgress?.(report);
    const handlers = { request: services.request.bind(services), progress };
    const returned = readOutput(await host.call(code, call, handlers, signal));
    if (isInputRequired(returned)) return { content: [], questions: returned.inputRequests ?? {} };
    const result = toSkillResult(returned);
    const problems = result.isError || !output ? [] : problemsBySchema(output, result.structuredContent);
    return problems.length > 0 ? failure(contradictsMessage(name, result.structuredContent, problems)) : result;
  } catch (error) {
    if (deadline.aborted && error === deadline.reason) return failure(timeoutMessage(name, limitMs, 'its time limit'));
    if (signal.aborted && error === signal.reason) return failure(cancelledMessage(name));
    return failure(failedMessage(name, error instanceof Error ? error.message : String(error)));
  }
}

function contextOf({ settings }: DeclaredSkill, { placeholders }: TrialServices, options: TrialOptions): object {
  const { caller = {}, answers = {}, now } = options;
  const { name = 'test', groups = [] } = caller;
  return {
    caller: { name, groups },
    answers,
    secrets: placeholders,
    settings: valuesFor(settings, options.settings ?? {}),
    ...(now && { nowMs: (typeof now === 'function' ? now() : now).getTime() }),
  };
}
