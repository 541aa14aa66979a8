import { Injectable, Logger } from '@nestjs/common';

/** The message that each such error is logged with; tests of the running service search the log for it. */
export const ESCAPED = 'An error escaped its owner';

/**
 * Logs and counts errors that no code handled: unhandled rejections and uncaught exceptions. Each is a bug, but no
 * reason to end the process and what it does for others.
 */
@Injectable()
export class UnhandledErrors {
  private readonly logger = new Logger('Process');
  private total = 0;

  /** Number of such errors since the process started. */
  get count(): number {
    return this.total;
  }

  /** Keeps unhandled errors from ending the process from now on. */
  watch(): void {
    process.on('unhandledRejection', (reason) => this.record(reason));
    process.on('uncaughtException', (error) => this.record(error));
  }

  private record(error: unknown): void {
    this.total += 1;
    this.logger.error({ err: error instanceof Error ? error : new Error(String(error)) }, ESCAPED);
  }
}
