import { isAddressOrRange, isHostEntry } from './host-entry.rules.js';
import { LLM_SETTINGS } from './llm.schema.js';
import { MCP_LIMITS } from './mcp-limits.schema.js';
import { OAUTH_SETTINGS } from './oauth.schema.js';
import type { SettingDeclaration } from './setting-declaration.js';
import { API_KEY, API_URL, ON_OFF } from './text-patterns.js';

const DAY_MS = 86_400_000;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Declares every setting that an administrator can edit. Validation, the REST API, the admin form and the `config://`
 * resources are derived from it. An environment variable named after the key overrides a setting and locks it.
 */
export const SETTINGS = {
  'mcp.api_key': {
    type: 'secret',
    group: 'mcp',
    description: 'Bearer key of MCP clients. Stored as a hash, so it cannot be shown again.',
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
  'mcp.search_and_fetch': {
    type: 'string',
    group: 'mcp',
    description:
      'Whether clients get the tools search and fetch, which ChatGPT requires for connectors and deep research. on ' +
      '= they search the knowledge base, the memory and the feeds together; off = clients do not get them.',
    default: 'off',
    ...ON_OFF,
  },
  'mcp.allowed_origins': {
    type: 'string_list',
    group: 'mcp',
    description: 'Origins of web pages that may use the MCP endpoint. An origin without a port allows all ports.',
    default: ['http://localhost', 'http://127.0.0.1', 'http://[::1]'],
    pattern: /^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#]{1,255}$/i,
    patternMeaning: 'an origin such as https://example.com or http://localhost:3000, without a path',
  },
  'mcp.max_body_bytes': {
    type: 'integer',
    group: 'mcp',
    description: 'Maximum size of a request to the MCP endpoint. Larger requests are refused.',
    default: 4_194_304,
    minimum: 1024,
    maximum: 268_435_456,
    unit: 'bytes',
  },
  'mcp.session_idle_ms': {
    type: 'integer',
    group: 'mcp',
    description:
      'How long an MCP session may be idle before it is deleted. Open streams and running calls count as use. The ' +
      'deletion may be delayed by up to a quarter of this time, at most a minute.',
    default: DAY_MS,
    minimum: 1000,
    maximum: 365 * DAY_MS,
    unit: 'ms',
  },
  'mcp.rate_limit_per_minute': {
    type: 'integer',
    group: 'mcp',
    description:
      'Maximum requests per minute of each client without a limit of its own, counted over all replicas; 0 = no ' +
      'limit.',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
  },
  'mcp.rate_limit_in_all_per_minute': {
    type: 'integer',
    group: 'mcp',
    description:
      'Maximum requests per minute of all clients together; 0 = no limit. Further requests are answered with 503.',
    default: 0,
    minimum: 0,
    maximum: 100_000_000,
  },
  ...MCP_LIMITS,
  'policy.approval_timeout_minutes': {
    type: 'integer',
    group: 'policy',
    description: 'How long a call that needs approval waits for a person. After that, it is refused.',
    default: 60,
    minimum: 1,
    maximum: 10_080,
    unit: 'minutes',
  },
  'policy.time_zone': {
    type: 'string',
    group: 'policy',
    description: 'The time zone of the hour and weekday in policies.',
    default: 'UTC',
    pattern: /^[A-Za-z][\w+-]{0,30}(\/[\w+-]{1,30}){0,2}$/,
    patternMeaning: 'the name of a time zone such as UTC or Europe/Berlin',
    isValid: isTimeZone,
  },
  'sso.only': {
    type: 'string',
    group: 'sso',
    description:
      'Whether accounts must log in by single sign-on. on = only the account admin may use a password, in browsers ' +
      'and scripts; off = all accounts may use passwords, too.',
    default: 'off',
    ...ON_OFF,
  },
  'workflows.concurrency': {
    type: 'integer',
    group: 'workflows',
    description:
      'Maximum number of runs that a replica executes at once. Runs that wait for a time, an event or a person do ' +
      'not count.',
    default: 20,
    minimum: 1,
    maximum: 1_000,
  },
  'workflows.authoring': {
    type: 'string',
    group: 'workflows',
    description:
      'Whether assistants may write workflows. on = they check definitions, propose drafts that an administrator ' +
      'enables, and try their drafts with their own permissions; off = they may not.',
    default: 'off',
    ...ON_OFF,
  },
  'modules.approval': {
    type: 'string',
    group: 'modules',
    description:
      'Which skill modules need approval by an administrator. uses = modules that use hosts, skills, secrets, ' +
      'databases or a state, if they are new or use something that was not approved; always = every new version; ' +
      'none = no module.',
    default: 'uses',
    pattern: /^(uses|always|none)$/,
    patternMeaning: 'uses, always or none',
    choices: ['uses', 'always', 'none'],
  },
  'packages.proposals': {
    type: 'string',
    group: 'packages',
    description:
      'Whether assistants may propose skill packages. on = they propose packages and new versions, which take ' +
      'effect when an administrator accepts them; off = they may not.',
    default: 'off',
    ...ON_OFF,
  },
  'packages.share_secret': {
    type: 'secret',
    group: 'packages',
    description:
      'Secret in the address /skills/<secret>, from which programs such as npx skills add install the enabled skill ' +
      'packages without a key. Policies see the client anonymous. Unset = the address does not exist. Stored as a ' +
      'hash.',
    default: null,
    minimumLength: 16,
    pattern: /^[\w-]{1,128}$/,
    patternMeaning: '16 to 128 letters, digits, - and _',
  },
  'runs.retention_days': {
    type: 'integer',
    group: 'workflows',
    description:
      'How long ended runs are kept, with their steps and results. The last run of each workflow is always kept.',
    default: 30,
    minimum: 1,
    maximum: 3650,
    unit: 'days',
  },
  'audit.retention_days': {
    type: 'integer',
    group: 'audit',
    description: 'How long the entries of the audit log are kept, and the counts of calls by tool and client.',
    default: 90,
    minimum: 1,
    maximum: 3650,
    unit: 'days',
  },
  'rss.retention_days': {
    type: 'integer',
    group: 'rss',
    description: 'How long feed items are kept. Items that are still in their feed are kept longer.',
    default: 90,
    minimum: 1,
    maximum: 3650,
    unit: 'days',
  },
  'rss.poll_interval_minutes': {
    type: 'integer',
    group: 'rss',
    description: 'How often a feed is fetched when neither its publisher nor an administrator sets an interval.',
    default: 30,
    minimum: 1,
    maximum: 10_080,
    unit: 'minutes',
  },
  'knowledge.embeddings': {
    type: 'string',
    group: 'knowledge',
    description:
      'The source of embeddings, with which searches also match meaning. builtin = a small English model that runs ' +
      'inside the service, installed by "npx agent-service add embeddings" (in a clone: "npm run ' +
      'embeddings:install"); url = the API of knowledge.embeddings_url, with a model; off = none: searches match ' +
      'words only.',
    default: 'url',
    pattern: /^(off|builtin|url)$/,
    patternMeaning: 'off, builtin or url',
    choices: ['off', 'builtin', 'url'],
  },
  'knowledge.embeddings_url': {
    type: 'string',
    group: 'knowledge',
    description:
      'Base URL of an OpenAI-compatible embeddings API, such as https://api.openai.com/v1. With it and a model, ' +
      'searches of the knowledge base and of skill packages also match meaning.',
    default: '',
    ...API_URL,
  },
  'knowledge.embeddings_model': {
    type: 'string',
    group: 'knowledge',
    description: 'Name of the embedding model. After a change, all passages are embedded again.',
    default: '',
    pattern: /^([!-~]{1,200})?$/,
    patternMeaning: 'at most 200 visible ASCII characters without spaces',
  },
  'knowledge.embeddings_key': {
    type: 'credential',
    group: 'knowledge',
    description:
      'Bearer key for the embeddings API, if it needs one. The key is sent only to the server that is set when you ' +
      'enter the key.',
    default: null,
    for: 'knowledge.embeddings_url',
    ...API_KEY,
  },
  'memory.embeddings': {
    type: 'string',
    group: 'memory',
    description:
      'Whether searches of the memory also match meaning. builtin = when knowledge.embeddings is builtin; any = ' +
      'also with the API of knowledge.embeddings_url, which then receives the memory; off = never.',
    default: 'builtin',
    pattern: /^(off|builtin|any)$/,
    patternMeaning: 'off, builtin or any',
    choices: ['off', 'builtin', 'any'],
  },
  ...OAUTH_SETTINGS,
  ...LLM_SETTINGS,
  'http.trusted_proxies': {
    type: 'string_list',
    group: 'http',
    description:
      'Trusted proxies in front of the service, whose headers tell where a request comes from: IP addresses, CIDR ' +
      'ranges, or loopback, one entry per hop. The default applies only when PUBLIC_URL is set.',
    default: ['loopback'],
    pattern: /^(loopback|[\da-f.:]{2,45}(\/\d{1,3})?)$/i,
    patternMeaning: 'loopback, an IP address, or a CIDR range such as 10.0.0.0/8',
    isValid: (entry) => entry.toLowerCase() === 'loopback' || isAddressOrRange(entry),
  },
  'http.allowed_hosts': {
    type: 'string_list',
    group: 'http',
    description:
      'Private hosts (feeds.corp, *.corp), IP addresses or CIDR ranges that the service may send requests to.',
    default: [],
    pattern: /^[^\s,]{1,255}$/,
    patternMeaning:
      'a host name, *.domain, an IP address or a CIDR range such as 10.0.0.0/8, without scheme, port and path',
    isValid: isHostEntry,
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

/** The value of any setting as an administrator enters it, secrets and credentials included. */
export type SettingInput = number | string | readonly string[];
