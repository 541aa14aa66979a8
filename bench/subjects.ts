/** The protocol of a tool call; `plain` = none. */
export type Wire = 'plain' | 'session' | 'stateless' | '2026';

/** A server to measure, in one of its modes. */
export interface Subject {
  /** The name for `--only`, which selects all subjects of a group. */
  group: 'constant' | 'service' | 'mcp-nest' | 'sdk' | 'fastmcp';
  title: string;
  script: string;
  wire: Wire;
  tools: number;
  env?: Record<string, string>;
  /** Whether its address is passed as PUBLIC_URL. */
  isPublic?: boolean;
}

const service = (wire: Wire, tools: number): Subject => ({
  group: 'service',
  title: `this service, ${wire === 'session' ? '2025 session' : '2026-07-28'}, ${tools.toLocaleString('en')} tools`,
  script: 'dist/bench/subjects/service.js',
  wire,
  tools,
});

const peer = (group: Subject['group'], title: string, wire: Wire, mode: string): Subject => ({
  group,
  title,
  script: `bench/subjects/${group}.mjs`,
  wire,
  tools: 10,
  env: { MODE: mode },
});

export const CONSTANT: Subject = {
  group: 'constant',
  title: 'constant JSON from a guarded, lean NestJS route',
  script: 'dist/bench/subjects/constant.js',
  wire: 'plain',
  tools: 0,
};

export const SERVICE = {
  session10: service('session', 10),
  session1000: service('session', 1_000),
  modern10: service('2026', 10),
  modern1000: service('2026', 1_000),
};

export const MCP_NEST = {
  session: peer('mcp-nest', 'MCP-Nest, 2025 session', 'session', 'session'),
  stateless: peer('mcp-nest', 'MCP-Nest, 2025 stateless', 'stateless', 'stateless'),
  modern: peer('mcp-nest', 'MCP-Nest, 2026-07-28', '2026', 'modern'),
};

export const SDK = {
  session: peer('sdk', 'SDK session transport, 2025', 'session', 'session'),
  modern: peer('sdk', 'SDK createMcpHandler, 2026-07-28', '2026', 'handler'),
};

const FASTMCP = {
  session: peer('fastmcp', 'FastMCP, 2025 session', 'session', 'session'),
  stateless: peer('fastmcp', 'FastMCP, 2025 stateless', 'stateless', 'stateless'),
};

export const SUBJECTS: readonly Subject[] = [
  CONSTANT,
  ...[SERVICE, MCP_NEST, SDK, FASTMCP].flatMap((group): Subject[] => Object.values(group)),
];
