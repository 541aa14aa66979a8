import { Injectable, Logger } from '@nestjs/common';

/** The log message of each such error; tests of the running service search the log for it. */
export const ESCAPED = 'An error escaped its owner';

/**
 * Logs and counts errors that no code handled: unhandled rejections and uncaught exceptions. Each is a bug, but no reason to end
 * the process and its other work.
 */
@Injectable()
export class UnhandledErrors {
  private readonly logger = new Logger('Process');
  private total = 0;

  /** Number of such errors since the process started. */
  get count(): number {
    return this.total;
  }

  /** From now on, prevents unhandled errors from ending the process. */
  watch(): void {
    process.on('unhandledRejection', (reason) => this.record(reason));
    process.on('uncaughtException', (error) => this.record(error));
  }

  private record(error: unknown): void {
    this.total += 1;
    this.logger.error({ err: error instanceof Error ? error : new Error(String(error)) }, ESCAPED);
  }
}
