/** What is executed here, as far as it matters to who owns what. */
export interface Executions {
  /** Returns whether runs of a partition are being executed. */
  areIn(partition: number): boolean;
  /**
   * Waits until it is known of all runs that were claimed before now whether they are executed. Returns false when that
   * takes too long.
   */
  settle(): Promise<boolean>;
}

/** Which partitions of the runs this process executes. Nobody else does, while it owns them. */
export abstract class Ownership {
  /** Returns the partitions that are owned now. */
  abstract owned(): readonly number[];
  /** Returns whether a partition is to be given up as soon as nothing of it is executed. */
  abstract isLeaving(partition: number): boolean;
  /** Returns the partition for a new run: one of our own, if there is one. */
  abstract partitionForNew(): number;
  /**
   * Looks how many partitions are our share, and takes free ones or gives up some.
   * @param executions partitions that have some are not given up
   */
  abstract refresh(executions: Executions): Promise<void>;
  /** Calls `listener` when all partitions were lost at once. */
  abstract onLost(listener: () => void): void;
  /** Gives up all partitions. */
  abstract close(): Promise<void>;
}
