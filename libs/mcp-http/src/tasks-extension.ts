import { ErrorCode, type WireError } from './json-rpc.js';

/** The extension by which a call may continue as a task that its client follows (modelcontextprotocol/ext-tasks, 2026-07-28). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The data of the error that a client gets which has not declared the extension. */
export const TASKS_REQUIRED = { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } };

/** Returns the refusal of what takes the Tasks extension, for a client that has not declared it. */
export const tasksNotDeclared = (what: string): WireError => ({
  httpStatus: 400,
  code: ErrorCode.missingCapability,
  message: `${what} takes a client that declares the extension ${TASKS_EXTENSION}: send it in the capabilities of the request`,
  data: TASKS_REQUIRED,
});
