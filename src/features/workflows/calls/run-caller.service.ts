import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { isObject } from '#bounded-json';
import type { Answer } from '#open-workflow';
import {
  elicit,
  followRun,
  type InputRequest,
  inputRequired,
  type JsonObject,
  ProtocolFault,
  type RunStep,
  type SkillContext,
  type SkillOutput,
} from '#skill-kit';
import type { Owner } from '../../../access/clients/owner.js';
import { ToolLimitsService } from '../../../core/skills/skill-catalogue.service.js';
import { isRunState, type RunState } from '../../../core/skills/skill-call.js';
import { isCancelledByClient } from '../../../core/skills/skill-execution.js';
import { faultOf } from '../runs/fault.rules.js';
import { RunReleased } from '../runs/execution/run-engine.js';
import { hasEnded, type NewRun, type OpenQuestion, type Run } from '../runs/run.js';
import { AnswerInvalid, QuestionNotOpen } from '../runs/runs.errors.js';
import { RunPages } from '../runs/run-pages.service.js';
import { type Beginning, RunsService } from '../runs/runs.service.js';
import { type AnswerOfCaller, RunAnswers } from '../runs/run-answers.service.js';
import { waitingMessage } from './calls.rules.js';
import { RunProgress } from './run-progress.js';

/** How long a caller that can follow tasks waits for a result before it gets a task: too short for anybody to notice. */
const PATIENCE_WITH_TASKS_MS = 500;
/** The share of a call's time limit that is reserved for the response. */
const MARGIN = 0.1;
const MOST_MARGIN_MS = 1_000;

/** How often a call asks its caller: the SDK gives up a call of a session after 8 rounds, and its client one of 2026-07-28 after 10. */
const MOST_ROUNDS = 8;

const LONGEST_POLL_MS = 60_000;
const BETWEEN_POLLS_MS = 500;

/** Why the answers to these steps do not fit their questions. */
type Misfits = Map<string, string>;

export interface RunCall {
  run: NewRun;
  /** True to respond immediately, without waiting for the result. */
  isBackground: boolean;
  /** Names of the outermost tasks of the workflow, in order; none for a skill. */
  tasks: readonly string[];
  /** The point at which the run begins; absent = at its start. */
  beginning?: Beginning | undefined;
}

/** Answers calls with runs: starts a run, waits as long as the caller can, and forwards its questions to the caller. */
@Injectable()
export class RunCaller {
  private readonly logger = new Logger(RunCaller.name);

  constructor(
    private readonly runs: RunsService,
    private readonly answers: RunAnswers,
    private readonly limits: ToolLimitsService,
    private readonly pages: RunPages,
  ) {}

  /** @throws RunInputTooLarge, or the reason of the context's signal */
  async call(
    { run: newRun, isBackground, tasks, beginning }: RunCall,
    context: Omit<SkillContext, 'client'>,
  ): Promise<SkillOutput> {
    const begunAtMs = performance.now();
    const misfits: Misfits = new Map();
    const run = (await this.continueRun(newRun, context, misfits)) ?? (await this.runs.start(newRun, beginning));
    if (isBackground && !hasEnded(run.status)) return this.follow(run);
    const progress = new RunProgress(tasks);
    const reached = await this.runs
      .follow(run.id, {
        // Its start may have taken a part of the time.
        timeoutMs: begunAtMs + this.patienceMs(newRun.name, context) - performance.now(),
        signal: context.signal,
        onStep: (step, report) => {
          const news = progress.after(step, report);
          if (news) context.progress(news.progress, news.total, news.message);
        },
      })
      .catch((error: unknown) => this.giveUp(run, context.signal, error));
    if (hasEnded(reached.status)) return this.resultOf(reached);
    const rounds = roundsOf(context);
    const mayAsk = context.canAsk && rounds < MOST_ROUNDS && !isPostponed(context.answers);
    if (reached.questions === 0 || context.followsTasks || !mayAsk) return this.follow(reached);
    return this.ask(reached, { rounds: rounds + 1, misfits }, context.signal);
  }

  /** Starts a run in a step of another one, and waits for its end without a time limit. @throws the reason of the signal */
  async callWithin(newRun: NewRun, step: RunStep, signal: AbortSignal, beginning?: Beginning): Promise<SkillOutput> {
    const { id } = await this.runs.start(newRun, beginning);
    const reclaim = this.runs.yieldPlace(step.runId);
    try {
      for (;;) {
        const run = await this.runs.follow(id, { timeoutMs: LONGEST_POLL_MS, signal, onStep: () => {} });
        if (hasEnded(run.status)) return this.resultOf(run);
        // The run waits for a person: there is no news until somebody has answered.
        await pause(BETWEEN_POLLS_MS, undefined, { signal });
      }
    } catch (error) {
      if (signal.aborted && !(await this.willResume(step, signal))) await this.runs.cancel(id);
      throw error;
    } finally {
      reclaim();
    }
  }

  /** Returns whether the stopped step will be executed again, and then wait for the same run. */
  private async willResume({ runId }: RunStep, { reason }: AbortSignal): Promise<boolean> {
    const isReleased = reason instanceof Error && [reason, reason.cause].some((why) => why instanceof RunReleased);
    return isReleased && !hasEnded((await this.runs.get(runId)).status);
  }

  /** @throws error */
  private async giveUp(run: Run, signal: AbortSignal, error: unknown): Promise<never> {
    await this.cancelFor(run, signal);
    throw error;
  }

  /** Cancels the run of a call that its client has cancelled. A run whose caller was lost otherwise continues. */
  private async cancelFor({ id }: Run, signal: AbortSignal): Promise<void> {
    if (isCancelledByClient(signal)) await this.runs.cancel(id);
  }

  /** @throws ProtocolFault when the run ended with a JSON-RPC error, so that the call ends with it, too */
  private resultOf(run: Run): SkillOutput {
    const fault = run.error && faultOf(run.error);
    if (fault) throw new ProtocolFault(fault.message, fault.code);
    return this.runs.toResult(run);
  }

  private patienceMs(tool: string, { followsTasks }: Pick<SkillContext, 'followsTasks'>): number {
    const limitMs = this.limits.timeoutOf(tool).value;
    const mostMs = limitMs - Math.min(limitMs * MARGIN, MOST_MARGIN_MS);
    return followsTasks ? Math.min(PATIENCE_WITH_TASKS_MS, mostMs) : mostMs;
  }

  private async follow(run: Run): Promise<SkillOutput> {
    const questions = run.questions > 0 ? await this.runs.questions(run.id) : [];
    return followRun({ runId: run.id, message: waitingMessage(run, questions, this.pages.of(run.id)) });
  }

  private async ask(
    run: Run,
    { rounds, misfits }: { rounds: number; misfits: Misfits },
    signal: AbortSignal,
  ): Promise<SkillOutput> {
    const questions = (await this.runs.questions(run.id)).filter(({ notCaller }) => !notCaller);
    if (questions.length === 0) return this.follow(run);
    if (signal.aborted) return this.giveUp(run, signal, signal.reason);
    // In a session, the call lasts while its client is asked.
    const onCancelled = () => void this.cancelFor(run, signal).catch((error: unknown) => this.logger.error(error));
    signal.addEventListener('abort', onCancelled, { once: true });
    const state: RunState = { runId: run.id, rounds };
    return inputRequired({ inputRequests: Object.fromEntries(questions.map((one) => toRequest(one, misfits))), state });
  }

  /**
   * Passes the caller's answers to the run of an earlier round, and returns it; undefined when this is the first round, or the
   * call has another input. Adds answers that do not fit to `misfits`: their questions stay open, so the run goes on.
   * @throws RunNotFound when the run is not the caller's, AnsweredElsewhere
   */
  private async continueRun(
    newRun: NewRun,
    { state, answers }: Pick<SkillContext, 'state' | 'answers'>,
    misfits: Misfits,
  ) {
    if (!isRunState(state)) return undefined;
    const { client } = newRun;
    const run = await this.runs.get(state.runId, client);
    if (!isDeepStrictEqual(run.input, newRun.input)) return undefined;
    for (const { step } of await this.runs.questions(run.id)) {
      const answer = toAnswer(answers[step], client);
      if (!answer) continue;
      await this.answers.answerAsCaller(run.id, step, answer).catch((error: unknown) => {
        if (error instanceof AnswerInvalid) misfits.set(step, error.message);
        else ignoreAnswered(error);
      });
    }
    return run;
  }
}

function toRequest({ step, question }: OpenQuestion, misfits: Misfits): [string, InputRequest] {
  const misfit = misfits.get(step);
  return [step, elicit(misfit ? `${question.message}\n\n${misfit}` : question.message, question.schema)];
}

/** Returns how often the call has asked its caller. */
const roundsOf = ({ state }: Pick<SkillContext, 'state'>): number => (isRunState(state) ? (state.rounds ?? 0) : 0);

/** Returns whether the caller has cancelled a question, which leaves it to somebody else. */
const isPostponed = (answers: Readonly<JsonObject>): boolean =>
  Object.values(answers).some((answer) => (Object(answer) as { action?: unknown }).action === 'cancel');

/** Reads the answer to an elicitation (specification 2026-07-28, client/elicitation); undefined when it is invalid. */
function toAnswer(value: unknown, client: Owner): AnswerOfCaller | undefined {
  const { action, content } = Object(value) as { action?: unknown; content?: unknown };
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return undefined;
  return { action, content: isObject(content) ? (content as Answer['content']) : null, client };
}

/** Somebody else has answered in the meantime, which is fine. */
function ignoreAnswered(error: unknown): void {
  if (!(error instanceof QuestionNotOpen)) throw error;
}
