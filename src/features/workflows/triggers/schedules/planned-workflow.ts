import type { Timetable } from './schedule.rules.js';

/** A workflow that is started at certain times. */
export interface PlannedWorkflow {
  name: string;
  version: string;
  timetable: Timetable;
  /** When it is started next; null = it is not known yet, or there is no such time any more. */
  next: Date | null;
}
