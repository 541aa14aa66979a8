interface Declared {
  readonly group: string;
  readonly description: string;
}

interface IntegerSetting extends Declared {
  readonly type: 'integer';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly unit?: string;
}

export interface TextRule {
  /** What a text must match, and how to say so: "must be ...". */
  readonly pattern: RegExp;
  readonly patternMeaning: string;
}

interface StringSetting extends Declared, TextRule {
  readonly type: 'string';
  readonly default: string;
}

/** The rule holds for each entry. */
interface StringListSetting extends Declared, TextRule {
  readonly type: 'string_list';
  readonly default: readonly string[];
}

/** Write-only: stored as a hash, never readable again. */
interface SecretSetting extends Declared, TextRule {
  readonly type: 'secret';
  readonly default: null;
  /** A shorter one can be guessed: it is refused, and only warned of where the environment has it. */
  readonly minimumLength: number;
}

/** Write-only for people: stored encrypted, and presented to the server that it was entered for. */
interface CredentialSetting extends Declared, TextRule {
  readonly type: 'credential';
  readonly default: null;
  /** The setting that holds the URL of the server. */
  readonly for: string;
}

export type SettingDeclaration = IntegerSetting | StringSetting | StringListSetting | SecretSetting | CredentialSetting;

const DAY_MS = 86_400_000;
const RETENTION = { type: 'integer', minimum: 1, maximum: 3650, unit: 'days' } as const;

/**
 * Every setting an administrator can edit, declared once: validation, the REST API, the admin form and the `config://`
 * resources all come from here. An environment variable named after the key overrides a setting and locks it.
 */
export const SETTINGS = {
  'mcp.api_key': {
    type: 'secret',
    group: 'mcp',
    description: 'The bearer key that MCP clients present. Stored as a hash: it cannot be shown again.',
    default: null,
    minimumLength: 16,
    pattern: /^[!-~]{1,512}$/,
    patternMeaning: '16 to 512 visible ASCII characters without spaces',
  },
  'mcp.tool_timeout_ms': {
    type: 'integer',
    group: 'mcp',
    description: 'Time limit of each tool call.',
    default: 30_000,
    minimum: 1,
    maximum: 3_600_000,
    unit: 'ms',
  },
  'mcp.allowed_origins': {
    type: 'string_list',
    group: 'mcp',
    description: 'Origins of browsers that may use the MCP endpoint. An origin without a port stands for every port.',
    default: ['http://localhost', 'http://127.0.0.1', 'http://[::1]'],
    pattern: /^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#]{1,255}$/i,
    patternMeaning: 'an origin such as https://example.com or http://localhost:3000, without a path',
  },
  'mcp.max_body_bytes': {
    type: 'integer',
    group: 'mcp',
    description: 'Larger requests to the MCP endpoint are refused.',
    default: 4_194_304,
    minimum: 1024,
    maximum: 268_435_456,
    unit: 'bytes',
  },
  'mcp.session_idle_ms': {
    type: 'integer',
    group: 'mcp',
    description: 'MCP sessions that nobody used for this long are dropped.',
    default: DAY_MS,
    minimum: 1000,
    maximum: 365 * DAY_MS,
    unit: 'ms',
  },
  'mcp.rate_limit_per_minute': {
    type: 'integer',
    group: 'mcp',
    description: 'Requests that one key may make in a minute; 0 = no limit.',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
  },
  'mcp.max_json_depth': {
    type: 'integer',
    group: 'mcp',
    description: 'Requests to the MCP endpoint whose JSON is nested deeper are refused.',
    default: 64,
    minimum: 8,
    maximum: 256,
  },
  'mcp.max_incoming_bytes': {
    type: 'integer',
    group: 'mcp',
    description:
      'What the bodies of all requests to the MCP endpoint may hold at once; what comes on top is answered with 503.',
    default: 67_108_864,
    minimum: 1_048_576,
    maximum: 4_294_967_296,
    unit: 'bytes',
  },
  'mcp.max_batch_entries': {
    type: 'integer',
    group: 'mcp',
    description: 'Messages in one JSON-RPC batch.',
    default: 100,
    minimum: 1,
    maximum: 10_000,
  },
  'mcp.max_initialize_bytes': {
    type: 'integer',
    group: 'mcp',
    description: 'What a program may say of itself when it opens a session: the session keeps it.',
    default: 16_384,
    minimum: 1024,
    maximum: 262_144,
    unit: 'bytes',
  },
  'mcp.max_id_length': {
    type: 'integer',
    group: 'mcp',
    description: 'Length of JSON-RPC ids, progress tokens, and names of methods, tools and prompts.',
    default: 256,
    minimum: 64,
    maximum: 4096,
    unit: 'characters',
  },
  'mcp.max_uri_length': {
    type: 'integer',
    group: 'mcp',
    description: 'Length of the URIs and cursors in requests to the MCP endpoint.',
    default: 2048,
    minimum: 256,
    maximum: 65_536,
    unit: 'characters',
  },
  'mcp.max_sessions': {
    type: 'integer',
    group: 'mcp',
    description:
      'Sessions in all. When there are so many, those unused for longest make room, if nobody used them for 5 minutes.',
    default: 50_000,
    minimum: 1,
    maximum: 1_000_000,
  },
  'mcp.max_sessions_per_key': {
    type: 'integer',
    group: 'mcp',
    description: 'Sessions that one key may have; the longest unused make room as they do in all.',
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
  },
  'mcp.max_streams': {
    type: 'integer',
    group: 'mcp',
    description: 'Streams of changes that may be open at once to one process.',
    default: 5_000,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_streams_per_key': {
    type: 'integer',
    group: 'mcp',
    description: 'Streams of changes that one key may have open at once to one process.',
    default: 4_000,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_subscriptions': {
    type: 'integer',
    group: 'mcp',
    description: 'Resources that one session or stream may watch.',
    default: 1_000,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_subscription_bytes': {
    type: 'integer',
    group: 'mcp',
    description: 'Length, together, of the URIs that one session or stream may watch.',
    default: 65_536,
    minimum: 1024,
    maximum: 16_777_216,
    unit: 'characters',
  },
  'mcp.max_calls': {
    type: 'integer',
    group: 'mcp',
    description: 'Calls that one process serves at once; what comes on top is answered with 503.',
    default: 2_000,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_calls_per_key': {
    type: 'integer',
    group: 'mcp',
    description: 'Calls of one key that one process serves at once.',
    default: 1_000,
    minimum: 1,
    maximum: 100_000,
  },
  'mcp.max_pipelined_requests': {
    type: 'integer',
    group: 'mcp',
    description:
      'Requests that may wait on one connection until the answers to those before are read; with more it is cut.',
    default: 32,
    minimum: 1,
    maximum: 10_000,
  },
  'mcp.max_unread_bytes': {
    type: 'integer',
    group: 'mcp',
    description:
      'What may wait for clients to read it, over all connections; answers on top become 503, streams on top are cut.',
    default: 134_217_728,
    minimum: 1_048_576,
    maximum: 4_294_967_296,
    unit: 'bytes',
  },
  'mcp.max_unread_bytes_per_connection': {
    type: 'integer',
    group: 'mcp',
    description: 'A stream is cut when its client leaves more than this unread.',
    default: 4_194_304,
    minimum: 65_536,
    maximum: 268_435_456,
    unit: 'bytes',
  },
  'mcp.unread_timeout_ms': {
    type: 'integer',
    group: 'mcp',
    description:
      'A connection is cut when its client leaves an answer unread for this long, and 1 s more for each 64 KB of it.',
    default: 30_000,
    minimum: 1000,
    maximum: 3_600_000,
    unit: 'ms',
  },
  'mcp.max_result_bytes': {
    type: 'integer',
    group: 'mcp',
    description:
      'Results of tools and contents of resources that are larger, as JSON, are answered with an error that says so.',
    default: 8_388_608,
    minimum: 65_536,
    maximum: 268_435_456,
    unit: 'bytes',
  },
  'runs.retention_days': {
    ...RETENTION,
    group: 'runs',
    description: 'Finished runs are kept this long.',
    default: 30,
  },
  'audit.retention_days': {
    ...RETENTION,
    group: 'audit',
    description: 'Entries of the audit log are kept this long.',
    default: 90,
  },
  'rss.retention_days': {
    ...RETENTION,
    group: 'rss',
    description: 'Items of feeds are kept this long.',
    default: 90,
  },
  'rss.poll_interval_minutes': {
    type: 'integer',
    group: 'rss',
    description: 'How often a feed is fetched, unless it says otherwise.',
    default: 30,
    minimum: 1,
    maximum: 10_080,
    unit: 'minutes',
  },
  'workflows.concurrency': {
    type: 'integer',
    group: 'workflows',
    description: 'Runs that one replica executes at once.',
    default: 20,
    minimum: 1,
    maximum: 1000,
  },
  'knowledge.embeddings_url': {
    type: 'string',
    group: 'knowledge',
    description:
      'Base URL of an OpenAI-compatible API that makes embeddings, such as https://api.openai.com/v1. With it and a model, ' +
      'searches of the knowledge base find passages by meaning, too.',
    default: '',
    pattern: /^(https?:\/\/[^\s/?#@\\]{1,255}(\/[^\s?#]{0,1750})?)?$/i,
    patternMeaning: 'an http:// or https:// URL without user name, password and query, or empty',
  },
  'knowledge.embeddings_model': {
    type: 'string',
    group: 'knowledge',
    description: 'Name of the embedding model. Another one makes every passage be embedded again.',
    default: '',
    pattern: /^([!-~]{1,200})?$/,
    patternMeaning: 'at most 200 visible ASCII characters without spaces',
  },
  'knowledge.embeddings_key': {
    type: 'credential',
    group: 'knowledge',
    description:
      'Bearer key that the service presents to the embeddings API, if that wants one. It is for the server that is set when ' +
      'it is entered, and presented to no other.',
    default: null,
    for: 'knowledge.embeddings_url',
    pattern: /^[!-~]{1,4096}$/,
    patternMeaning: '1 to 4096 visible ASCII characters without spaces',
  },
  'http.trusted_proxies': {
    type: 'string_list',
    group: 'http',
    description:
      'Proxies in front of the service (IP addresses, CIDR ranges, or loopback) that are believed about where a request ' +
      'comes from. Each entry stands for one hop, so list as many as there are on the way. Behind a public URL: loopback.',
    default: ['loopback'],
    pattern: /^(loopback|[\da-f.:]{2,45}(\/\d{1,3})?)$/i,
    patternMeaning: 'loopback, an IP address, or a CIDR range such as 10.0.0.0/8',
  },
  'http.allowed_hosts': {
    type: 'string_list',
    group: 'http',
    description:
      'Hosts (feeds.corp, *.corp), IP addresses or CIDR ranges that outgoing requests may reach although they are private.',
    default: [],
    pattern: /^[^\s,]{1,255}$/,
    patternMeaning: 'a host name, *.domain, an IP address or a CIDR range such as 10.0.0.0/8',
  },
} as const satisfies Record<string, SettingDeclaration>;

export type SettingKey = keyof typeof SETTINGS;

interface ValueOfType {
  integer: number;
  string: string;
  string_list: readonly string[];
  secret: never;
  credential: never;
}

type TypeOf<Key extends SettingKey> = (typeof SETTINGS)[Key]['type'];

/** The type of a setting's value: `SettingValue<'mcp.tool_timeout_ms'>` is number. */
type SettingValue<Key extends SettingKey> = ValueOfType[TypeOf<Key>];

type KeyOfType<Type extends SettingDeclaration['type']> = {
  [Key in SettingKey]: TypeOf<Key> extends Type ? Key : never;
}[SettingKey];

export type SecretKey = KeyOfType<'secret'>;
export type CredentialKey = KeyOfType<'credential'>;
export type PlainKey = Exclude<SettingKey, SecretKey | CredentialKey>;

export type PlainValues = { [Key in PlainKey]: SettingValue<Key> };

/** Any setting's value as an administrator enters it, secrets and credentials included. */
export type SettingInput = number | string | readonly string[];
