import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import { Integer, OneOf, Text } from '../../../core/skills/skill-fields.decorators.js';
import { SHOWN_AS_RUN } from '../../../core/skills/skill-views.js';
import { hasEnded, NEXT_STATUS, type RunStatus, type RunSummary } from './run.js';
import { runUri } from './run-view.rules.js';
import { ownerOf } from '../../../access/clients/owner.js';
import { MOST_SCANNED, ReadableResources } from '../../../access/policy/readable-resources.service.js';
import { ANSWER_TOKEN_META, AnswerTokens } from './answer-tokens.service.js';
import { RunPages } from './run-pages.service.js';
import { RunsService } from './runs.service.js';
import { describeStatus, LAST_STEPS, statusOf } from './run-status.rules.js';
import { RunStatusInput, RunStatusResult } from './run-status.schema.js';
import { VisibleRuns } from './visible-runs.service.js';

const ID = /^(run:\/\/)?[0-9a-f]{32}\/?$/i;
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
const DEFAULT_RUNS = 10;
const idOf = (id: string) =>
  id
    .replace(/^run:\/\//, '')
    .replace(/\/$/, '')
    .toLowerCase();

class RunListInput {
  @Text(
    'Only runs of this workflow, by its name, such as "weekly-report": letters, digits, underscores and hyphens, at most 64. By default, of all.',
    { pattern: NAME, optional: true },
  )
  workflow?: string;

  @OneOf('Only runs with this status, such as "running". By default, with any.', Object.keys(NEXT_STATUS), {
    optional: true,
  })
  status?: RunStatus;

  @Text(
    'Only runs started before this one, by its address, such as "run://0123456789abcdef0123456789abcdef", to continue after it. By default, from the newest.',
    { pattern: ID, optional: true },
  )
  before?: string;

  @Integer('How many runs to return, 1 to 50, for example 20.', {
    min: 1,
    max: 50,
    optional: true,
    default: DEFAULT_RUNS,
  })
  limit?: number;
}

@Skill({
  name: 'run_list',
  title: 'List runs',
  description:
    'Use this to find runs of workflows that run in the background or have ended, the newest first. Filter by the name of ' +
    'the workflow or by status. For the steps and the result of one run use run_status.',
  input: RunListInput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class RunListSkill implements SkillHandler<RunListInput> {
  constructor(
    private readonly runs: VisibleRuns,
    private readonly readable: ReadableResources,
  ) {}

  async execute(
    { workflow, status, before, limit: asked = DEFAULT_RUNS }: RunListInput,
    { client }: SkillContext,
  ): Promise<string> {
    const after = before && idOf(before);
    const { items, hasMore } = await this.readable.findFor(client, {
      limit: asked,
      uriOf: ({ id }: RunSummary) => runUri(id),
      find: async (limit) => {
        const page = await this.runs.listBefore(after, { limit, name: workflow, status }, client);
        return { items: page.items, hasMore: page.nextCursor !== null };
      },
    });
    if (items.length === 0) return noneOf(before, hasMore);
    const lines = items.map((run) => {
      const asks = run.questions > 0 ? ', waits for an answer' : '';
      const ended = run.endedAt === null ? '' : `, ended ${run.endedAt.toISOString()}`;
      const failed = run.error === null ? '' : `: ${run.error.detail ?? run.error.type}`;
      return `- ${runUri(run.id)} ${run.name}: ${run.status}${asks}, started ${run.createdAt.toISOString()}${ended}${failed}`;
    });
    const more = `There are older ones: call again with before ${JSON.stringify(runUri(items.at(-1)?.id ?? ''))}.`;
    return [...lines, ...(hasMore ? [more] : [])].join('\n');
  }
}

@Skill({
  name: 'run_status',
  title: 'Status of a run',
  description:
    'Use this to see how far a run is, and its result when it has ended. With wait_seconds it waits that long for the end, ' +
    'which is better than asking often. Returns the last steps by name, the output or the error, and what to do next.',
  input: RunStatusInput,
  output: RunStatusResult,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  meta: SHOWN_AS_RUN,
})
@Injectable()
export class RunStatusSkill implements SkillHandler<RunStatusInput> {
  constructor(
    private readonly runs: RunsService,
    private readonly visible: VisibleRuns,
    private readonly tokens: AnswerTokens,
    private readonly pages: RunPages,
  ) {}

  async execute({ id, wait_seconds = 0 }: RunStatusInput, { client, signal }: SkillContext): Promise<SkillResult> {
    const { id: found } = await this.visible.get(idOf(id), client);
    const run = await this.runs.follow(found, { timeoutMs: wait_seconds * 1_000, signal });
    const viewed = await this.runs.viewed(run, LAST_STEPS);
    const status = statusOf(viewed, this.pages.of(found), new Date());
    const result = { content: [text(describeStatus(status))], structuredContent: { ...status } };
    if (hasEnded(run.status)) return result;
    return { ...result, _meta: { [ANSWER_TOKEN_META]: await this.tokens.make(found, ownerOf(client)) } };
  }
}

function noneOf(before: string | undefined, hasMore: boolean): string {
  if (!hasMore) return before === undefined ? 'There are no such runs.' : `There are none before ${before}.`;
  const which = before === undefined ? `newest ${MOST_SCANNED}` : `${MOST_SCANNED} before ${before}`;
  return `None of the ${which} is for you; there are older ones. Call again with another workflow or status.`;
}

class RunCancelInput {
  @Text(
    'Id or address of the run, such as "run://0123456789abcdef0123456789abcdef": 32 characters of 0 to 9 and a to f.',
    { pattern: ID },
  )
  id!: string;
}

@Skill({
  name: 'run_cancel',
  title: 'Cancel a run',
  description:
    'Use this to stop a run that you started and that should not continue. Steps that have ended are not undone, and a run that ' +
    'has ended stays as it is.',
  input: RunCancelInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class RunCancelSkill implements SkillHandler<RunCancelInput> {
  constructor(
    private readonly runs: RunsService,
    private readonly visible: VisibleRuns,
  ) {}

  async execute({ id }: RunCancelInput, { client }: SkillContext): Promise<string> {
    const before = await this.visible.getOwn(idOf(id), client);
    if (hasEnded(before.status)) return `The run had ended already: it is ${before.status}.`;
    await this.runs.cancel(before.id);
    const { status } = await this.runs.get(before.id);
    return `The run is ${status}.`;
  }
}
