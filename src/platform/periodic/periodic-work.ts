import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

/** Work that is repeated while the service runs, never twice at once. A failure is logged, and the next run retries. */
export abstract class PeriodicWork implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private timer: NodeJS.Timeout | null = null; // null = not started
  private running: Promise<void> | null = null; // null = no run in progress

  /** @param everyMs the time between two starts; the first run is this long after the application starts */
  protected constructor(private readonly everyMs: number) {}

  /** Runs the work once. */
  abstract tick(now: Date): Promise<unknown>;

  onApplicationBootstrap(): void | Promise<void> {
    this.begin();
  }

  protected begin(): void {
    this.timer = setInterval(() => {
      this.running ??= this.run().finally(() => (this.running = null));
    }, this.everyMs).unref();
  }

  private async run(): Promise<void> {
    try {
      await this.tick(new Date());
    } catch (error) {
      this.logger.error(error);
    }
  }

  onApplicationShutdown(): void | Promise<void> {
    if (this.timer) clearInterval(this.timer);
  }
}
