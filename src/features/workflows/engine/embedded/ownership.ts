/** The executions in this process, as far as ownership depends on them. */
export interface Executions {
  /** Returns whether runs of a partition are being executed. */
  areIn(partition: number): boolean;
  /** Waits until all current claims are decided: executed or not. Returns false when that takes too long. */
  settle(): Promise<boolean>;
}

/** The partitions of runs that this process executes, exclusively while it owns them. */
export abstract class Ownership {
  /** Returns the currently owned partitions. */
  abstract owned(): readonly number[];
  /** Returns whether a partition will be given up as soon as none of its runs is executed. */
  abstract isLeaving(partition: number): boolean;
  /** Returns the partition for a new run: an owned one, if there is any. */
  abstract partitionForNew(): number;
  /**
   * Determines the share of this replica, and takes free partitions or gives up some.
   * @param executions partitions with executions are not given up
   */
  abstract refresh(executions: Executions): Promise<void>;
  /** Calls `listener` when all partitions were lost at once. */
  abstract onLost(listener: () => void): void;
  /** Gives up all partitions. */
  abstract close(): Promise<void>;
}
