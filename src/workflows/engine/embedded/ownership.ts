/** Which partitions of the runs this process executes. Nobody else does, while it owns them. */
export abstract class Ownership {
  /** Returns the partitions that are owned now. */
  abstract owned(): readonly number[];
  /** Returns the partition for a new run: one of our own, if there is one. */
  abstract partitionForNew(): number;
  /**
   * Looks how many partitions are our share, and takes free ones or gives up some.
   * @param busy partitions with executions under way, which are not given up
   */
  abstract refresh(busy: ReadonlySet<number>): Promise<void>;
  /** Calls `listener` when all partitions were lost at once. */
  abstract onLost(listener: () => void): void;
  /** Gives up all partitions. */
  abstract close(): Promise<void>;
}
