import { SETTINGS } from '../../platform/settings/settings.schema.js';

/** What an administrator allows the calls of one tool; null = the setting for every tool. */
export interface ToolLimits {
  timeoutMs: number | null; // null = mcp.tool_timeout_ms
  /** Size of the result as JSON. */
  maxResultBytes: number | null; // null = mcp.max_result_bytes
}

export const NO_TOOL_LIMITS: ToolLimits = Object.freeze({ timeoutMs: null, maxResultBytes: null });

/** One tool may have to fit into less room than every tool: the context of a model. */
const SMALLEST_RESULT = 1_024;

/** Which values the limits of a tool take, where they are no null. */
export const TOOL_LIMIT_BOUNDS = {
  timeoutMs: {
    minimum: SETTINGS['mcp.tool_timeout_ms'].minimum,
    maximum: SETTINGS['mcp.tool_timeout_ms'].maximum,
  },
  maxResultBytes: { minimum: SMALLEST_RESULT, maximum: SETTINGS['mcp.max_result_bytes'].maximum },
} as const satisfies Record<keyof ToolLimits, { minimum: number; maximum: number }>;
