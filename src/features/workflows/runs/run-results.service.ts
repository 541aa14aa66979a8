import { Injectable } from '@nestjs/common';
import { failure, type SkillResult, text } from '#skill-kit';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { objectOf, type Run } from './run.js';

/** Converts ended runs to results of tool calls. */
@Injectable()
export class RunResults {
  constructor(private readonly skills: SkillRegistry) {}

  toResult(run: Run): SkillResult {
    switch (run.status) {
      case 'completed':
        return run.program === 'workflow' ? this.workflowResultOf(run) : skillResultOf(run);
      case 'cancelled':
        return failure(`The run run://${run.id} of ${run.name} was cancelled.`);
      case 'failed':
        return failure(failureOf(run));
      default:
        return failure(`The run run://${run.id} of ${run.name} has not ended: it is ${run.status}.`);
    }
  }

  /** A tool that declares structured content must return some; others return only text. */
  private workflowResultOf({ name, output }: Run): SkillResult {
    const object = objectOf(output);
    const isPromised = this.skills.find(name)?.outputSchema !== undefined;
    const shown = typeof output === 'string' ? output : JSON.stringify(output);
    return { content: [text(shown)], ...(object && isPromised && { structuredContent: object }) };
  }
}

/** A run of a skill or an agent stores its result unchanged. */
function skillResultOf({ output }: Run): SkillResult {
  const { content, structuredContent, isError } = (objectOf(output) ?? {}) as Partial<SkillResult>;
  return {
    content: Array.isArray(content) ? content : [text(JSON.stringify(output))],
    ...(structuredContent && { structuredContent }),
    ...(isError && { isError }),
  };
}

/** Titles of the standard errors of the DSL, whose detail is sufficient. */
const GENERIC_TITLE = /^\w+ Error$/;

function failureOf({ id, name, error }: Run): string {
  const where = error?.instance ? ` at ${error.instance}` : '';
  const { title, detail, type } = error ?? {};
  const isSpecific = title !== undefined && !(detail !== undefined && GENERIC_TITLE.test(title));
  const what = [isSpecific ? title : null, detail].filter(Boolean).join(': ') || (type ?? 'unknown error');
  return `${name} failed${where}: ${what.replace(/\.$/, '')}. run://${id} shows its steps.`;
}
