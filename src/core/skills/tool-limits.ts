import { SETTINGS } from '../../platform/settings/settings.schema.js';

/** An administrator's limits for the calls of one tool; null = the global setting. */
export interface ToolLimits {
  timeoutMs: number | null; // null = mcp.tool_timeout_ms
  /** Size of the result as JSON. */
  maxResultBytes: number | null; // null = mcp.max_result_bytes
}

export const NO_TOOL_LIMITS: ToolLimits = Object.freeze({ timeoutMs: null, maxResultBytes: null });

/** A single tool's results may need a lower limit than the global minimum, to fit a model's context. */
const SMALLEST_RESULT = 1_024;

/** The allowed values of a tool's own limits. */
export const TOOL_LIMIT_BOUNDS = {
  timeoutMs: {
    minimum: SETTINGS['mcp.tool_timeout_ms'].minimum,
    maximum: SETTINGS['mcp.tool_timeout_ms'].maximum,
  },
  maxResultBytes: { minimum: SMALLEST_RESULT, maximum: SETTINGS['mcp.max_result_bytes'].maximum },
} as const satisfies Record<keyof ToolLimits, { minimum: number; maximum: number }>;
