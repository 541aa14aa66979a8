import type { SettingDeclaration } from './setting-declaration.js';

/** Limits for the resources and concurrent requests of callers of the MCP endpoint. */
export const MCP_LIMITS = {
  'mcp.max_sessions': {
    type: 'integer',
    group: 'limits',
    description:
      'Maximum number of sessions of all keys. At the limit, new sessions replace those that have been idle for 5 ' +
      'minutes.',
    default: 50_000,
    minimum: 1,
    maximum: 1_000_000,
  },
  'mcp.max_sessions_per_key': {
    type: 'integer',
    group: 'limits',
    description:
      'Maximum number of sessions of one key. At the limit, new sessions replace those that have been idle for 5 ' +
      'minutes.',
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
  },
  'mcp.max_streams': {
    type: 'integer',
    group: 'limits',
    description:
      'Maximum number of open notification streams per process, and at most three quarters of its limit of open files.',
    default: 5_000,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_streams_per_key': {
    type: 'integer',
    group: 'limits',
    description: 'Maximum number of open notification streams of one key per process.',
    default: 4_000,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_calls': {
    type: 'integer',
    group: 'limits',
    description: 'Maximum number of concurrent calls per process. Further calls are answered with 503.',
    default: 2_000,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_calls_per_key': {
    type: 'integer',
    group: 'limits',
    description: 'Maximum number of concurrent calls of one key per process. Further calls are answered with 429.',
    default: 100,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_result_bytes': {
    type: 'integer',
    group: 'limits',
    description:
      'Maximum size of a tool result or of the contents of a resource, as JSON. A larger one is replaced by an ' +
      'error.',
    default: 8_388_608,
    minimum: 65_536,
    maximum: 268_435_456,
    unit: 'bytes',
  },
} as const satisfies Record<string, SettingDeclaration>;
