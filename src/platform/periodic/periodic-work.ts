import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

/** Work that is repeated while the service runs. A failure is logged, and the next run retries. */
export abstract class PeriodicWork implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private timer: NodeJS.Timeout | null = null; // null = not started

  /** @param everyMs the time between two starts; the first run is this long after the application starts */
  protected constructor(private readonly everyMs: number) {}

  /** Runs the work once. */
  abstract tick(now: Date): Promise<unknown>;

  onApplicationBootstrap(): void | Promise<void> {
    this.begin();
  }

  protected begin(): void {
    this.timer = setInterval(() => {
      this.tick(new Date()).catch((error: unknown) => this.logger.error(error));
    }, this.everyMs).unref();
  }

  onApplicationShutdown(): void | Promise<void> {
    if (this.timer) clearInterval(this.timer);
  }
}
