import { Injectable, Logger } from '@nestjs/common';

/** What the log says of each; tests of the running service look for it. */
export const ESCAPED = 'An error escaped its owner';

/**
 * Logs and counts errors that nobody took care of: of promises without an owner, and of events without a listener. Each is
 * a bug, but none is a reason to end what everybody else is doing.
 */
@Injectable()
export class EscapedErrors {
  private readonly logger = new Logger('Process');
  private total = 0;

  /** Since the process started. */
  get count(): number {
    return this.total;
  }

  /** From now on nothing that escapes ends the process. */
  watch(): void {
    process.on('unhandledRejection', (reason) => this.record(reason));
    process.on('uncaughtException', (error) => this.record(error));
  }

  private record(error: unknown): void {
    this.total += 1;
    this.logger.error({ err: error instanceof Error ? error : new Error(String(error)) }, ESCAPED);
  }
}
