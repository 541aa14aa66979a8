import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { ArtifactStore } from './artifact.store.js';
import { Grants } from './grants.service.js';
import { ProgramStore } from './program.store.js';

const EVERY_MS = 10 * 60_000;
/** After this time, programs that nobody has allowed since they registered, and grants without a token, count as unused. */
const UNUSED_MS = 24 * 3_600_000;

/** Deletes expired codes, tokens and grants, and unused programs. */
@Injectable()
export class OAuthHousekeeping extends PeriodicWork {
  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly grants: Grants,
    private readonly programs: ProgramStore,
  ) {
    super(EVERY_MS);
  }

  async tick(now: Date): Promise<void> {
    await this.grants.endExpired(now, new Date(now.getTime() - UNUSED_MS));
    await this.artifacts.deleteEnded(now);
    await this.programs.deleteUnused(new Date(now.getTime() - UNUSED_MS));
  }
}
