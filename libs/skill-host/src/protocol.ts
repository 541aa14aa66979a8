export interface ModuleCode {
  /** Identifies modules that run at the same time: different code needs a different key. */
  key: string;
  /** Path of the file that exports the skills, such as `weather.ts` or `weather/index.ts`. */
  file: string;
  /** The texts of all files that it may import, itself included, by path. */
  files: ModuleFiles;
  /** True when types are to be stripped from TypeScript files, which are recognised by name. */
  hasTypes: boolean;
}

/** Texts by file path. */
export type ModuleFiles = Readonly<Record<string, string>>;

export interface OpenedModule {
  /** JSON of its default export, without functions. */
  declaration: string;
  /** Its files without types; lines and columns are unchanged. */
  files: ModuleFiles;
}

/** The requests that a module can make to the service during a call. */
type RequestKind = 'fetch' | 'query' | 'skill' | 'state_get' | 'state_set';

export interface ModuleRequest {
  kind: RequestKind;
  /** JSON. */
  value: string;
  /** For `fetch`: the request body. */
  body?: Uint8Array;
}

export interface ModuleReply {
  /** JSON. */
  value: string;
  /** For `fetch`: the response body. */
  body?: Uint8Array;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** Why a thread has ended. */
export type Ending =
  | 'closed' // it was not needed
  | 'threw' // an uncaught exception, or the module could not be loaded
  | 'memory' // it exceeded its memory limit
  | 'crowded' // it seemed to have most when all modules together exceeded theirs
  | 'blocked'; // it did not respond, or a call did not end after its cancellation

/** From the service to the host. */
export type ToHost = ({ type: 'open' } & ModuleCode) | { type: 'close'; key: string } | ({ key: string } & ToThread);

/** From the service to a thread. */
export type ToThread =
  | { type: 'call'; id: number; skill: string; input: string; context: string }
  | { type: 'cancel'; id: number }
  | { type: 'reply'; request: number; reply: ModuleReply | { error: string } };

/** From a thread to the service. */
export type FromThread =
  | { type: 'read'; files: ModuleFiles } // before its code runs; only the first counts
  | { type: 'opened'; declaration: string }
  | { type: 'refused'; message: string }
  | { type: 'returned'; id: number; output: string }
  | { type: 'failed'; id: number; message: string }
  | { type: 'cancelling'; id: number }
  | { type: 'request'; id: number; request: number; asked: ModuleRequest }
  | { type: 'progress'; id: number; progress: Progress }
  | { type: 'log'; level: LogLevel; text: string };

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** From the host to the service. */
export type FromHost = { key: string } & (FromThread | { type: 'ended'; ending: Ending; message: string });

export interface HostLimits {
  /** How long a module may take to load, in milliseconds. */
  openMs: number;
  heapMegabytes: number;
  /** Memory limit of a thread outside of its heap, such as buffers. */
  bufferMegabytes: number;
  /** Resident memory limit of the host. */
  hostMegabytes: number;
  /** How long a thread may take to notice that a call is cancelled, in milliseconds. */
  noticeMs: number;
  /** How long a cancelled call may take to end, in milliseconds. */
  endMs: number;
}
