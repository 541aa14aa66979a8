import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type LogLevel, SkillHost } from '#skill-host';
import { keptText } from '../../access/audit/redaction.rules.js';

const LOGGED = { debug: 'debug', info: 'log', warning: 'warn', error: 'error' } as const;

/** Called when a module exceeded a limit. */
type OnOffence = (key: string, message: string) => void;

/** The process in which modules run, for the lifetime of the service. */
@Injectable()
export class ModuleHost extends SkillHost implements BeforeApplicationShutdown {
  private readonly listeners: Set<OnOffence>;

  constructor() {
    const logger = new Logger('SkillModule');
    const listeners = new Set<OnOffence>();
    super({
      onLog: (key, level: LogLevel, line) =>
        logger[LOGGED[level]]({ module: key.split(' ')[0] }, keptText(line, line.length)),
      onOffence: (key, message) => listeners.forEach((listener) => listener(key, message)),
    });
    this.listeners = listeners;
  }

  /** Calls a listener for every offence from now on. */
  onOffence(listener: OnOffence): void {
    this.listeners.add(listener);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
