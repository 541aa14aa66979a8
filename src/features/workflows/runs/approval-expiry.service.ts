import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { APPROVAL, isApprovalStep, NOBODY } from '../../../core/skills/approval.js';
import { RunStore } from './run.store.js';
import { RunAnswers } from './run-answers.service.js';

const EVERY_MS = 30_000;
const MINUTE_MS = 60_000;
const AT_ONCE = 100;

/** Denies calls that nobody has approved within `policy.approval_timeout_minutes`. */
@Injectable()
export class ApprovalExpiry extends PeriodicWork {
  constructor(
    private readonly answers: RunAnswers,
    private readonly store: RunStore,
    private readonly settings: SettingsService,
  ) {
    super(EVERY_MS);
  }

  async tick(now: Date): Promise<void> {
    const before = new Date(now.getTime() - this.settings.get('policy.approval_timeout_minutes') * MINUTE_MS);
    const expired = await this.store.listAskedBefore({ before, nameContains: `?${APPROVAL}`, limit: AT_ONCE });
    for (const { runId, step } of expired.filter((asked) => isApprovalStep(asked.step))) {
      await this.answers.give(runId, step, { action: 'cancel', content: null, by: NOBODY }).catch(ignoreAnswered);
    }
  }
}

/** Somebody has answered in the meantime, or the run has ended. */
function ignoreAnswered(error: unknown): void {
  if (!(error instanceof AppError) || error.kind === 'unavailable') throw error;
}
