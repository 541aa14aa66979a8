import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import {
  type CallHandlers,
  type LogLevel,
  type ModuleCall,
  type ModuleCode,
  type OpenedModule,
  SkillHost,
} from '#skill-host';

const LOGGED = { debug: 'debug', info: 'log', warning: 'warn', error: 'error' } as const;

/** Called when a module exceeded a limit. */
type OnOffence = (key: string, message: string) => void;

/** The process in which modules run, for the lifetime of the service. */
@Injectable()
export class ModuleHost implements BeforeApplicationShutdown {
  private readonly logger = new Logger('SkillModule');
  private readonly listeners = new Set<OnOffence>();
  private readonly host = new SkillHost({
    onLog: (key, level, line) => this.log(key, level, line),
    onOffence: (key, message) => this.listeners.forEach((listener) => listener(key, message)),
  });

  /** Calls a listener for every offence from now on. */
  onOffence(listener: OnOffence): void {
    this.listeners.add(listener);
  }

  /** Loads a module in a thread. @throws ModuleFailed, of which ModuleInterrupted is not caused by the module */
  open(code: ModuleCode): Promise<OpenedModule> {
    return this.host.open(code);
  }

  /** Ends the thread of a module when its calls have ended. */
  release(key: string): void {
    this.host.release(key);
  }

  /** Calls a skill of a module; returns JSON. @throws ModuleFailed, and the reason of the signal */
  call(code: ModuleCode, call: ModuleCall, handlers: CallHandlers, signal: AbortSignal): Promise<string> {
    return this.host.call(code, call, handlers, signal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.host.stop();
  }

  private log(key: string, level: LogLevel, line: string): void {
    this.logger[LOGGED[level]]({ module: key.split(' ')[0] }, line);
  }
}
