import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

/** Work that is done again and again while the service runs. A failure is logged, and the work is done again the next time. */
export abstract class PeriodicWork implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private timer: NodeJS.Timeout | null = null; // null = not started

  /** @param everyMs the time between two beginnings; the first one is that long after the start */
  protected constructor(private readonly everyMs: number) {}

  /** Does the work once. */
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
