import type { LoggerService } from '@nestjs/common';
import { type Level, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import type { Environment } from '../environment/environment.js';
import { AppError } from '../errors/app-error.js';
import { RepeatedFailures } from './repeated-failures.js';

const STDERR = 2;
/** How much of a log is kept while it cannot be written. */
const KEPT_BYTES = 8_000_000;

/** Expected failures explain themselves: a stack, which an outage would repeat with every request, says nothing more. */
export const serializers: NonNullable<LoggerOptions['serializers']> = {
  err: (error: Error) => {
    if (!(error instanceof AppError)) return stdSerializers.err(error);
    const { name: type, code, message, cause } = error;
    return { type, code, message, ...(cause instanceof Error && { cause: cause.message }) };
  },
};

/** Opens a log that loses entries, but stops neither those who write it nor the process, while its disk is full. */
export function logStreamTo(dest: number | string) {
  const stream = pino.destination({ dest, sync: false, maxLength: KEPT_BYTES });
  // Without a listener, the error would be logged, which fails again.
  stream.on('error', () => {
    // It is called at exit, and would wait for room on the disk.
    stream.flushSync = () => undefined;
  });
  return stream;
}

/** Writes Nest's log with pino. While something is unavailable, each kind of failure is written once a minute. */
export class PinoLogger implements LoggerService {
  private readonly repeated = new RepeatedFailures();

  constructor(private readonly logger: Logger) {}

  /** Creates a logger that writes to stderr: stdout is for messages to the operator at start. */
  static toStderr(environment: Environment): PinoLogger {
    return new PinoLogger(pino({ level: environment.LOG_LEVEL, serializers }, logStreamTo(STDERR)));
  }

  log(message: unknown, ...params: unknown[]): void {
    this.write('info', message, params);
  }

  error(message: unknown, ...params: unknown[]): void {
    this.write('error', message, params);
  }

  warn(message: unknown, ...params: unknown[]): void {
    this.write('warn', message, params);
  }

  debug(message: unknown, ...params: unknown[]): void {
    this.write('debug', message, params);
  }

  verbose(message: unknown, ...params: unknown[]): void {
    this.write('trace', message, params);
  }

  fatal(message: unknown, ...params: unknown[]): void {
    this.write('fatal', message, params);
  }

  // Nest's convention: (message, ...more, context), where an error's first extra is its stack, and pino's own: (fields, text).
  private write(level: Level, message: unknown, params: unknown[]): void {
    const context = params.at(-1);
    const [text] = params.slice(0, -1).filter((param) => typeof param === 'string');
    const effective = BOOT_CONTEXTS.has(context) ? 'debug' : level;
    const said = message instanceof Error ? message.message : typeof message === 'string' ? message : text;
    const fields: Record<string, unknown> = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) fields['err'] = message;
    else if (typeof message !== 'string') Object.assign(fields, message);
    else if (text) fields['stack'] = text;
    const omitted = this.omittedBefore(fields['err'], `${String(context)} ${said}`);
    if (omitted !== null) this.logger[effective](omitted > 0 ? { ...fields, omitted } : fields, said);
  }

  /** Returns how many failures like this one were not written before it; null when it is not to be written, either. */
  private omittedBefore(error: unknown, kind: string): number | null {
    if (!(error instanceof AppError) || error.kind !== 'unavailable') return 0;
    return this.repeated.omittedBefore(`${kind} ${error.message}`, performance.now());
  }
}

/**
 * Contexts of Nest's messages about its own start. They are logged at debug level: operators read the banner instead.
 */
const BOOT_CONTEXTS: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);
