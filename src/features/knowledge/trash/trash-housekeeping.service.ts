import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { KnowledgeTrash } from './knowledge-trash.service.js';

const EVERY_MS = 10 * 60_000;

/** Deletes documents from the trash that were removed more than 30 days ago. */
@Injectable()
export class TrashHousekeeping extends PeriodicWork {
  constructor(private readonly trash: KnowledgeTrash) {
    super(EVERY_MS);
  }

  tick(now: Date): Promise<number> {
    return this.trash.purgeExpired(now);
  }
}
