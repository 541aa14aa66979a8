/** Says that the work of a call continues as a durable run, which outlives the call. */
export interface FollowRun {
  runId: string;
  /** What a caller is told that cannot follow runs as tasks: which run it is, and how to learn what becomes of it. */
  message: string;
}

const FOLLOW_RUN = Symbol('FollowRun');

/** Ends a call whose work continues as a run. Callers with `context.followsTasks` get a task, others the message. */
export function followRun(run: FollowRun): FollowRun {
  return Object.defineProperty({ ...run }, FOLLOW_RUN, { value: true });
}

export function isFollowRun(value: unknown): value is FollowRun {
  return typeof value === 'object' && value !== null && FOLLOW_RUN in value;
}
