import type { Host } from './host';
import { isJson, type Json, textAt } from './json';
import type { Answer } from './question-form';
import { hasEnded, type Question, type Run, runIdOf, runOf, textsOf } from './run';
import type { RunView } from './run-view';

const FIRST_POLL_MS = 1_000;
const LAST_POLL_MS = 5_000;

/** The tools of the service for views. */
const TOOLS = { status: 'run_status', cancel: 'run_cancel', answer: 'run_answer' } as const;

type Port = Pick<Host, 'callTool' | 'canCallTools' | 'updateModel'>;
type Screen = Pick<RunView, 'showCall' | 'showNotice' | 'showRun'>;

/** The tool call of the view, and the run that it started or named, which is followed until its end. */
export class FollowedCall {
  private tool = 'Run';
  private args: Json = {};
  private runId: string | null = null;
  private answerToken: string | null = null;
  private isFollowing = false;
  /** Numbers of the last look at the run, and of the one that is shown. */
  private looks = 0;
  private shown = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: Port,
    private readonly screen: Screen,
  ) {}

  named(tool: string): void {
    this.tool = tool;
    if (this.runId === null) this.screen.showCall(this.tool, 'running');
  }

  began(args: Json): void {
    this.args = args;
    if (this.runId === null) this.screen.showCall(this.tool, 'running');
  }

  ended(result: Json): void {
    const run = runOf(result);
    this.runId = run?.id ?? runIdOf(result, this.args);
    if (run) this.show(run);
    if (this.runId === null) return this.showResult(result);
    if (run && hasEnded(run)) return;
    this.stop();
    this.isFollowing = this.host.canCallTools;
    if (this.isFollowing) this.follow(run ? FIRST_POLL_MS : 0);
    else if (!run) this.showResult(result);
  }

  cancelled(reason: string | null): void {
    if (this.runId === null) this.screen.showCall(this.tool, 'cancelled', reason === null ? [] : [reason]);
  }

  async answer({ step }: Question, { action, content }: Answer): Promise<void> {
    if (this.answerToken === null) await this.refresh();
    await this.call(TOOLS.answer, { step, action, token: this.answerToken, ...(content && { content }) });
    await this.refresh();
  }

  async cancel(): Promise<void> {
    await this.call(TOOLS.cancel, {});
    await this.refresh();
  }

  /** Stops following, because the view is removed. */
  stop(): void {
    this.isFollowing = false;
    clearTimeout(this.timer);
  }

  /** Polls with increasing delays. Shows a failed request; the next may succeed. */
  private follow(delayMs: number): void {
    this.timer = setTimeout(() => {
      void this.refresh()
        .catch((error: unknown) => this.screen.showNotice(error instanceof Error ? error.message : String(error)))
        .then(() => this.isFollowing && this.follow(Math.min(Math.max(delayMs * 1.05, FIRST_POLL_MS), LAST_POLL_MS)));
    }, delayMs);
  }

  private async refresh(): Promise<void> {
    const look = (this.looks += 1);
    const run = runOf(await this.call(TOOLS.status, {}));
    if (!run || look < this.shown) return; // a later look may be answered first
    this.shown = look;
    this.show(run);
    if (!hasEnded(run) || !this.isFollowing) return;
    this.stop();
    await this.host.updateModel(
      `The run ${run.id} of ${run.name} is ${run.status}. Call ${TOOLS.status} for its result.`,
    );
  }

  private async call(tool: string, args: Json): Promise<Json> {
    const result = await this.host.callTool(tool, { id: this.runId, ...args });
    if (result['isError'] === true) throw new Error(textsOf(result).join('\n') || `${tool} failed`);
    return result;
  }

  private show(run: Run): void {
    this.answerToken = run.answerToken ?? this.answerToken;
    this.screen.showRun(run, new Date());
  }

  private showResult(result: Json): void {
    this.screen.showCall(this.tool, result['isError'] === true ? 'failed' : 'completed', textsOf(result));
  }
}

/** Returns the name of the tool that the host shows the view for; null when it does not name it. */
export function toolNameOf(context: Json): string | null {
  const info = context['toolInfo'];
  const tool = isJson(info) ? info['tool'] : null;
  return isJson(tool) ? (textAt(tool, 'title') ?? textAt(tool, 'name')) : null;
}
