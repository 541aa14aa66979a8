import { element } from './element';
import { type Answer, questionForm } from './question-form';
import { hasEnded, type Question, type Run, type Step } from './run';
import { durationText } from './duration';

interface Actions {
  answer: (question: Question, answer: Answer) => Promise<void>;
  cancel: () => Promise<void>;
}

const STATUS_LABELS: Record<string, string> = {
  pending: 'Pending',
  running: 'Running',
  started: 'Running',
  waiting: 'Waiting',
  asking: 'Waits for an answer',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/**
 * Shows one run, and updates it. A form that is being filled in stays while its question is open. Only the state and new
 * questions are announced to screen readers, and what has the focus leaves it to the title when it disappears.
 */
export class RunView {
  private readonly title = element('h1', { tabIndex: -1 });
  private readonly status = element('span', { className: 'status', role: 'status' });
  private readonly cancelButton = element('button', { type: 'button', className: 'quiet', hidden: true }, 'Cancel run');
  private readonly notice = element('p', { className: 'problem', hidden: true, role: 'alert' });
  private readonly questions = element('div', { ariaLive: 'polite' });
  // The role is explicit, because some screen readers ignore lists without numbers.
  private readonly steps = element('ol', { role: 'list', ariaLabel: 'Steps' });
  private readonly output = element('pre', { hidden: true, tabIndex: 0, role: 'group', ariaLabel: 'Result' });
  private asked: string[] = [];
  /** Why the run could not be cancelled; null = it was not tried. */
  private refusal: string | null = null;

  constructor(
    root: HTMLElement,
    private readonly actions: Actions,
  ) {
    const header = element('header', {}, this.title, this.status, this.cancelButton);
    root.replaceChildren(header, this.notice, this.questions, this.steps, this.output);
    this.cancelButton.addEventListener('click', () => void this.cancel());
  }

  /** Shows that the call has not returned yet, or its result if that is not a run. */
  showCall(name: string, status: string, texts: readonly string[] = []): void {
    this.title.textContent = name;
    this.showStatus(status);
    this.showOutput(texts.join('\n\n'));
  }

  showRun(run: Run, now: Date): void {
    this.title.textContent = run.name;
    this.showStatus(run.questions.length > 0 && !hasEnded(run) ? 'asking' : run.status);
    if (hasEnded(run)) this.keepFocus(this.cancelButton);
    this.cancelButton.hidden = hasEnded(run);
    this.showNotice(run.problem ?? (hasEnded(run) ? null : this.refusal));
    this.showQuestions(hasEnded(run) ? [] : run.questions);
    this.showSteps(run.steps, now);
    const { output } = run;
    this.showOutput(run.status !== 'completed' || output === null || output === undefined ? '' : readable(output));
  }

  /** Shows an error; null = none. */
  showNotice(text: string | null): void {
    this.notice.textContent = text;
    this.notice.hidden = text === null;
  }

  private showStatus(status: string): void {
    setText(this.status, STATUS_LABELS[status] ?? status);
    this.status.dataset['status'] = status;
  }

  private showQuestions(questions: readonly Question[]): void {
    const steps = questions.map(({ step }) => step);
    if (steps.join('\n') === this.asked.join('\n')) return;
    this.asked = steps;
    this.keepFocus(this.questions);
    this.questions.replaceChildren(
      ...questions.map((question) => questionForm(question, (answer) => this.actions.answer(question, answer))),
    );
  }

  /** Leaves the rows of steps that have not changed, where somebody may be reading. */
  private showSteps(steps: readonly Step[], now: Date): void {
    const rows = [...this.steps.children];
    for (const row of rows.slice(steps.length)) row.remove();
    for (const [index, step] of steps.entries()) {
      const next = stepRow(step, now);
      const row = rows[index];
      if (!row) this.steps.append(next);
      else if (!row.isEqualNode(next)) row.replaceWith(next);
    }
  }

  /** Moves the focus to the title if it is in a part that is about to disappear. */
  private keepFocus(part: HTMLElement): void {
    if (part.contains(document.activeElement)) this.title.focus();
  }

  private showOutput(text: string): void {
    setText(this.output, text);
    this.output.hidden = text === '';
  }

  private async cancel(): Promise<void> {
    this.keepFocus(this.cancelButton);
    this.cancelButton.disabled = true;
    this.refusal = null;
    try {
      await this.actions.cancel();
    } catch (error) {
      this.refusal = error instanceof Error ? error.message : String(error);
      this.showNotice(this.refusal);
    }
    this.cancelButton.disabled = false;
  }
}

function stepRow(step: Step, now: Date): HTMLElement {
  return element(
    'li',
    { dataset: { status: step.status } },
    element('span', { className: 'label' }, step.label),
    element('span', { className: 'time' }, durationText(step, now)),
    element('span', { className: 'state' }, STATUS_LABELS[step.status] ?? step.status),
  );
}

/** Sets a text that is announced when it is set. */
function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

const readable = (output: unknown): string => (typeof output === 'string' ? output : JSON.stringify(output, null, 2));
