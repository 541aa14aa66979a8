/** A module as a thread runs it. */
export interface ModuleCode {
  /** Tells apart what runs at the same time: another code needs another key. */
  key: string;
  /** Path of the file that exports the skills, such as `weather.ts` or `weather/index.ts`. */
  file: string;
  /** The texts of all files that it may import, itself included, by their paths. */
  files: ModuleFiles;
  /** Whether the types are to be stripped from those that are TypeScript by their names. */
  hasTypes: boolean;
}

/** Texts by the paths of their files. */
export type ModuleFiles = Readonly<Record<string, string>>;

/** What a module has declared, when it is open. */
export interface OpenedModule {
  /** JSON of what it exports by default, without functions. */
  declaration: string;
  /** Its files without types; lines and columns are the same. */
  files: ModuleFiles;
}

/** What a module asks of the service during a call. */
type RequestKind = 'fetch' | 'query' | 'skill' | 'state_get' | 'state_set';

export interface ModuleRequest {
  kind: RequestKind;
  /** JSON. */
  value: string;
  /** Of the kind `fetch`: the body to send. */
  body?: Uint8Array;
}

export interface ModuleReply {
  /** JSON. */
  value: string;
  /** Of the kind `fetch`: the body that came. */
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
  | 'threw' // an exception that nobody caught, or the module could not be loaded
  | 'memory' // it needed more memory than it may
  | 'blocked'; // it did not react, or a call did not end when it was cancelled

/** From the service to the host. */
export type ToHost = ({ type: 'open' } & ModuleCode) | { type: 'close'; key: string } | ({ key: string } & ToThread);

/** From the service to a thread. */
export type ToThread =
  | { type: 'call'; id: number; skill: string; input: string; context: string }
  | { type: 'cancel'; id: number }
  | { type: 'reply'; request: number; reply: ModuleReply | { error: string } };

/** From a thread to the service. */
export type FromThread =
  | ({ type: 'opened' } & OpenedModule)
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

/** Limits of a thread and of the host. */
export interface HostLimits {
  /** How long a module may take to load, in milliseconds. */
  openMs: number;
  /** Heap of a thread. */
  heapMegabytes: number;
  /** What a thread has beside its heap, as buffers. */
  bufferMegabytes: number;
  /** Resident memory of the host. */
  hostMegabytes: number;
  /** How long a thread may take to notice that a call is cancelled, in milliseconds. */
  noticeMs: number;
  /** How long a cancelled call may take to end, in milliseconds. */
  endMs: number;
}
