/** The newest version of each protocol era. */
export type Era = '2025-11-25' | '2026-07-28';

export const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28'];

/** A requirement of the specification that the server fulfils. */
export interface ProtocolBehaviour {
  id: string;
  level: 'MUST' | 'SHOULD' | 'MAY';
  /** What the server does. */
  sentence: string;
  /**
   * Where the specification of each era requires it: page and section, below `SPECIFICATION` and the era. The Tasks extension
   * is specified in modelcontextprotocol/ext-tasks, specification/<era>/tasks.md; its page here is `ext-tasks`.
   */
  sections: Partial<Record<Era, string>>;
}

export const SPECIFICATION = 'https://modelcontextprotocol.io/specification';

/**
 * Requirements of the specification that the service fulfils. A test cites what it proves in a comment above it, `// Shows in
 * both eras: <id>, <id>` or `// Shows in 2025-11-25: <id>`. protocol-behaviours.spec.ts finds behaviours that no test cites
 * in an era, and citations of ids that are not listed here.
 */
export const PROTOCOL_BEHAVIOURS: readonly ProtocolBehaviour[] = [
  ...inBothEras('basic/transports#security-warning', 'basic/transports/streamable-http#security-endpoint', [
    ['http.origin', 'MUST', 'It answers a request of a foreign Origin with 403.'],
    ['http.authentication', 'SHOULD', 'It answers a request without a valid key with 401.'],
  ]),
  ...inBothEras(
    'basic/transports#sending-messages-to-the-server',
    'basic/transports/streamable-http#sending-messages',
    [
      ['http.one-path', 'MUST', 'It serves all methods of HTTP on one path.'],
      ['http.notification-accepted', 'MUST', 'It answers a notification that it accepts with 202 and no body.'],
      ['http.notification-refused', 'MUST', 'It answers a notification that it cannot accept with an HTTP error.'],
      ['http.json-or-stream', 'MUST', 'It answers a request with one JSON object or with a stream of events.'],
    ],
  ),
  ...inBothEras(
    'basic/transports#sending-messages-to-the-server',
    'basic/transports/streamable-http#receiving-messages',
    [
      ['stream.own-notifications', 'MUST', 'What it sends on the response of a request belongs to that request.'],
      ['stream.ends', 'SHOULD', 'It ends a response stream after the response.'],
    ],
  ),
  ...inOneEra('2026-07-28', 'basic/transports/streamable-http#receiving-messages', [
    ['stream.no-requests', 'MUST', 'It sends no requests of its own on a stream.'],
    ['stream.unbuffered', 'SHOULD', 'It tells proxies not to buffer a stream (X-Accel-Buffering: no).'],
  ]),
  ...inOneEra('2025-11-25', 'basic/transports#sending-messages-to-the-server', [
    ['stream.primer', 'SHOULD', 'It begins a stream with an event that has an id and no data.'],
    ['stream.retry', 'SHOULD', 'It says how long to wait before it closes the connection of a stream.'],
    ['stream.related-requests', 'SHOULD', 'It asks the client on the stream of the call that has the question.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/transports#listening-for-messages-from-the-server', [
    ['get.stream-or-405', 'MUST', 'It answers GET with a stream of events, or with 405.'],
    ['get.no-responses', 'MUST', 'It sends no response to a request on the GET stream.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/transports#multiple-connections', [
    ['streams.one-each', 'MUST', 'It sends each message on only one stream of a session.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/transports#resumability-and-redelivery', [
    ['resume.unique-ids', 'MUST', 'The id of an event is unique among all streams of a session.'],
    ['resume.after-last', 'MAY', 'It goes on with a stream after the event that Last-Event-ID names.'],
    ['resume.own-stream', 'MUST', 'It repeats no messages of other streams.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/transports#session-management', [
    ['session.secure-id', 'SHOULD', 'The id of a session is unique and cannot be guessed.'],
    ['session.visible-id', 'MUST', 'The id of a session consists of visible ASCII characters.'],
    ['session.missing', 'SHOULD', 'It answers a request that names no session with 400.'],
    ['session.ended', 'MUST', 'It answers a request in a session that has ended with 404.'],
    ['session.delete', 'MAY', 'It ends a session at DELETE.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/transports#protocol-version-header', [
    ['version.header', 'MUST', 'It answers an unsupported MCP-Protocol-Version with 400.'],
  ]),

  ...inOneEra('2025-11-25', 'basic/lifecycle#initialization', [
    ['lifecycle.initialize', 'MUST', 'It answers initialize with its capabilities and with who it is.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/lifecycle#version-negotiation', [
    ['lifecycle.version', 'MUST', 'It agrees to the version that the client asks for, if it supports it.'],
    ['lifecycle.other-version', 'MUST', 'It offers another version, its latest, if it does not.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/lifecycle#capability-negotiation', [
    ['lifecycle.client-capabilities', 'MUST', 'It asks a client only for what the client declared.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/versioning#protocol-version-negotiation', [
    ['discover', 'MUST', 'It implements server/discover.'],
    ['version.unsupported', 'MUST', 'It answers an unsupported version with -32022 and the versions it supports.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/index#statelessness', [
    ['stateless', 'MUST', 'It serves each request by what the request says, without an earlier one.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/index#_meta', [
    ['envelope.required', 'MUST', 'It answers a request without version or capabilities with 400 and -32602.'],
    ['envelope.missing-capability', 'MUST', 'It answers with 400 and -32021 when the client lacks a capability.'],
    ['envelope.server-info', 'SHOULD', 'It says who it is in the _meta of results.'],
    ['subscriptions.id', 'MUST', 'Each notification of a subscription names the subscription.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/index#error-codes', [
    ['errors.retired', 'MUST', 'It does not send -32002 for a missing resource.'],
  ]),
  ...inBothEras('basic/index#messages', 'basic/index#messages', [
    ['jsonrpc.id', 'MUST', 'Its answer has the id of the request.'],
    ['jsonrpc.null-id', 'MUST', 'It refuses a request whose id is null.'],
    ['jsonrpc.notification', 'MUST', 'It sends no response to a notification.'],
    ['jsonrpc.unknown-method', 'MUST', 'It answers an unknown method with -32601.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/index#resulttype', [
    ['jsonrpc.result-type', 'MUST', 'Its results have a resultType.'],
  ]),

  ...inOneEra('2026-07-28', 'basic/transports/streamable-http#protocol-version-header', [
    ['headers.version', 'MUST', 'It answers with 400 and -32020 when the versions in header and body differ.'],
    ['method.not-found', 'MUST', 'It answers an unknown method with 404.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/transports/streamable-http#server-validation', [
    ['headers.missing', 'MUST', 'It answers with 400 and -32020 when a standard header is missing.'],
    ['headers.mismatch', 'MUST', 'It answers with 400 and -32020 when a header differs from the body.'],
    ['headers.base64', 'MUST', 'It decodes encoded values before it compares them.'],
    ['headers.numeric', 'SHOULD', 'It compares numbers by their value.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/transports/streamable-http#server-behavior-for-custom-headers', [
    ['headers.parameter-malformed', 'MUST', 'It refuses a parameter header with invalid characters.'],
    [
      'headers.parameter-missing',
      'MUST',
      'It refuses a request that has a parameter in its body and no header for it.',
    ],
    ['headers.parameter-absent', 'MUST', 'It expects no header for a parameter that is null or absent.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/transports/streamable-http#case-sensitivity', [
    ['headers.names', 'MUST', 'It accepts names of headers in upper and lower case.'],
    ['headers.values', 'MUST', 'It tells apart upper and lower case in values of headers.'],
  ]),

  ...inOneEra('2025-11-25', 'basic/utilities/cancellation#behavior-requirements', [
    ['cancel.notification', 'SHOULD', 'It stops a request that the client cancels, and sends no response to it.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/utilities/cancellation#error-handling', [
    ['cancel.unknown', 'SHOULD', 'It ignores a cancellation that is malformed or names no running request.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/transports/streamable-http#cancellation', [
    ['cancel.disconnect', 'MUST', 'It cancels a request whose response the client closes.'],
  ]),
  ...inBothEras('basic/utilities/progress#progress-flow', 'basic/patterns/progress#progress-flow', [
    ['progress.grows', 'MUST', 'The value of progress grows with each notification.'],
  ]),
  ...inBothEras('basic/utilities/progress#behavior-requirements', 'basic/patterns/progress#behavior-requirements', [
    ['progress.token', 'MUST', 'Progress names the token that the request gave.'],
    ['progress.without-token', 'MUST', 'It sends no progress of a request without a token.'],
    ['progress.stops', 'MUST', 'It sends no progress after the response.'],
  ]),
  ...inOneEra('2025-11-25', 'basic/utilities/ping#behavior-requirements', [
    ['ping', 'MUST', 'It answers ping with an empty result.'],
  ]),

  ...inBothEras('server/tools#capabilities', 'server/tools#capabilities', [
    ['tools.capability', 'MUST', 'It declares the capability tools.'],
  ]),
  ...inBothEras('server/tools#listing-tools', 'server/tools#capabilities', [
    ['tools.list', 'MUST', 'It lists the tools of the client.'],
  ]),
  ...inOneEra('2026-07-28', 'server/tools#capabilities', [
    ['tools.order', 'SHOULD', 'It lists tools in the same order each time.'],
  ]),
  ...inBothEras('server/tools#list-changed-notification', 'server/tools#list-changed-notification', [
    ['tools.list-changed', 'SHOULD', 'It tells clients that listen when the tools change.'],
  ]),
  ...inBothEras('server/tools#tool-names', 'server/tools#tool-names', [
    ['tools.names', 'SHOULD', 'The names of its tools have only the characters that are allowed.'],
  ]),
  ...inBothEras('server/tools#structured-content', 'server/tools#structured-content', [
    ['tools.structured', 'SHOULD', 'It sends a structured result as text, too.'],
  ]),
  ...inBothEras('server/tools#error-handling', 'server/tools#error-handling', [
    ['tools.unknown', 'MUST', 'It answers a call of an unknown tool with a JSON-RPC error.'],
    ['tools.failure', 'MUST', 'It answers with isError when a tool fails.'],
    ['tools.arguments', 'MUST', 'It answers with isError when the arguments do not fit the schema.'],
  ]),
  ...inBothEras('server/tools#security-considerations', 'server/tools#security-considerations', [
    ['tools.rate-limit', 'MUST', 'It limits the rate of calls when the administrator sets a limit.'],
  ]),

  ...inBothEras('server/resources#capabilities', 'server/resources#capabilities', [
    ['resources.capability', 'MUST', 'It declares the capability resources.'],
  ]),
  ...inBothEras('server/resources#protocol-messages', 'server/resources#protocol-messages', [
    ['resources.list', 'MUST', 'It lists resources and templates, and reads resources.'],
  ]),
  ...inBothEras('server/resources#list-changed-notification', 'server/resources#list-changed-notification', [
    ['resources.list-changed', 'SHOULD', 'It tells clients that listen when the list of resources changes.'],
  ]),
  ...inBothEras('server/resources#subscriptions', 'server/resources#subscriptions', [
    ['resources.updated', 'MUST', 'It tells a client when a resource changes that the client watches.'],
  ]),
  ...inOneEra('2025-11-25', 'server/resources#subscriptions', [
    ['resources.unsubscribe', 'MUST', 'It tells a client nothing of a resource that the client no longer watches.'],
  ]),
  ...inBothEras('server/resources#error-handling', 'server/resources#error-handling', [
    ['resources.not-found', 'MUST', 'It answers for a missing resource with the code of the era.'],
  ]),
  ...inBothEras('server/resources#security-considerations', 'server/resources#security-considerations', [
    ['resources.uris', 'MUST', 'It refuses what is no URI of a resource.'],
    ['resources.binary', 'MUST', 'It encodes binary data in Base64.'],
    ['resources.permission', 'SHOULD', 'It checks before it lets a client watch a resource whether the client may.'],
  ]),

  ...inBothEras('server/prompts#capabilities', 'server/prompts#capabilities', [
    ['prompts.capability', 'MUST', 'It declares the capability prompts.'],
  ]),
  ...inBothEras('server/prompts#protocol-messages', 'server/prompts#protocol-messages', [
    ['prompts.list', 'MUST', 'It lists prompts and gets one with its arguments.'],
  ]),
  ...inBothEras('server/prompts#list-changed-notification', 'server/prompts#list-changed-notification', [
    ['prompts.list-changed', 'SHOULD', 'It tells clients that listen when the prompts change.'],
  ]),
  ...inBothEras('server/prompts#error-handling', 'server/prompts#error-handling', [
    ['prompts.unknown', 'SHOULD', 'It answers for an unknown prompt with -32602.'],
    ['prompts.arguments', 'SHOULD', 'It answers for a missing argument with -32602.'],
  ]),

  ...inBothEras('server/utilities/completion#capabilities', 'server/utilities/completion#capabilities', [
    ['completion.capability', 'MUST', 'It declares the capability completions.'],
  ]),
  ...inBothEras('server/utilities/completion#completion-results', 'server/utilities/completion#completion-results', [
    ['completion.values', 'MUST', 'It offers at most 100 values, and says how many there are.'],
  ]),
  ...inBothEras('server/utilities/completion#error-handling', 'server/utilities/completion#error-handling', [
    ['completion.unknown', 'SHOULD', 'It answers for an unknown prompt with -32602.'],
  ]),
  ...inBothEras('server/utilities/logging#capabilities', 'server/utilities/logging#capabilities', [
    ['logging.capability', 'MUST', 'It declares the capability logging.'],
  ]),
  ...inBothEras('server/utilities/logging#setting-log-level', 'server/utilities/logging#per-request-log-level', [
    ['logging.level', 'MUST', 'It sends log messages of the level that the client asks for, and above.'],
  ]),
  ...inBothEras('server/utilities/logging#error-handling', 'server/utilities/logging#error-handling', [
    ['logging.unknown-level', 'SHOULD', 'It answers for an unknown level with -32602.'],
  ]),
  ...inOneEra('2026-07-28', 'server/utilities/logging#per-request-log-level', [
    ['logging.unasked', 'MUST', 'It sends no log messages of a request that does not ask for them.'],
    ['logging.own-stream', 'MUST', 'It sends log messages only on the response of their request.'],
  ]),
  ...inBothEras('server/utilities/pagination#error-handling', 'server/utilities/pagination#error-handling', [
    ['pagination.cursor', 'SHOULD', 'It answers for an invalid cursor with -32602.'],
  ]),
  ...inBothEras('server/utilities/pagination#response-format', 'server/utilities/pagination#response-format', [
    ['pagination.pages', 'MUST', 'Following nextCursor to the end gives every entry once.'],
  ]),
  ...inOneEra('2026-07-28', 'server/utilities/caching#cacheable-results', [
    ['caching.hints', 'MUST', 'It sends hints for caches with lists, resources and discovery.'],
    ['caching.unfinished', 'MUST', 'It sends no hints with a result that asks for input.'],
  ]),

  ...inOneEra('2026-07-28', 'basic/patterns/subscriptions#opening-a-stream', [
    ['subscriptions.filter', 'MUST', 'It sends only the kinds of notifications that the client asked for.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/patterns/subscriptions#acknowledgment', [
    ['subscriptions.acknowledged', 'MUST', 'The first message of a subscription acknowledges it.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/patterns/subscriptions#cancellation', [
    ['subscriptions.closed', 'MUST', 'It ends a subscription whose stream the client closes.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/patterns/subscriptions#graceful-closure', [
    ['subscriptions.result', 'SHOULD', 'It sends the result of a subscription before it ends it itself.'],
  ]),

  ...inOneEra('2026-07-28', 'basic/patterns/mrtr#server-requirements-basic-workflow', [
    ['input.requests', 'MUST', 'A result that asks for input has requests or a state.'],
    ['input.declared', 'MUST', 'It asks only for input that the client declared to be able to give.'],
    ['input.tampered', 'MUST', 'It refuses a state that was changed.'],
    ['input.principal', 'SHOULD', 'It refuses a state that another client got.'],
    ['input.expired', 'SHOULD', 'It refuses a state that is too old.'],
    ['input.other-request', 'SHOULD', 'It refuses a state that another request got.'],
  ]),
  ...inOneEra('2026-07-28', 'basic/patterns/mrtr#error-handling', [
    ['input.again', 'SHOULD', 'It asks again for input that is missing.'],
    ['input.more', 'SHOULD', 'It ignores input that it did not ask for.'],
  ]),

  ...inOneEra('2026-07-28', 'ext-tasks#capability-negotiation', [
    ['tasks.advertised', 'MUST', 'It declares the Tasks extension in server/discover.'],
    ['tasks.undeclared', 'MUST', 'It creates no task for a client that has not declared the extension.'],
    ['tasks.required', 'MUST', 'It answers with -32021 when it cannot do without a task and the client has none.'],
  ]),
  ...inOneEra('2026-07-28', 'ext-tasks#task-creation', [
    ['tasks.created', 'MUST', 'A task that a call was answered with can be read at once.'],
  ]),
  ...inOneEra('2026-07-28', 'ext-tasks#task-polling', [
    ['tasks.get', 'MUST', 'It answers tasks/get with the status, and with the result, error or questions of the task.'],
    ['tasks.inputs', 'MUST', 'A task that waits for input has all requests that are open.'],
  ]),
  ...inOneEra('2026-07-28', 'ext-tasks#task-update-requests', [
    ['tasks.update', 'MUST', 'It takes answers with an empty result, also some of those that it waits for.'],
    ['tasks.other-inputs', 'SHOULD', 'It ignores answers to what it does not ask, or not any more.'],
  ]),
  ...inOneEra('2026-07-28', 'ext-tasks#task-cancellation', [
    ['tasks.cancel', 'MUST', 'It takes a cancellation with an empty result, also when the task has ended.'],
  ]),
  ...inOneEra('2026-07-28', 'ext-tasks#task-status-notifications', [
    ['tasks.listen-own', 'MUST', 'It acknowledges the tasks that it will tell of: those of the client.'],
    ['tasks.listen-undeclared', 'MUST', 'It refuses to tell of tasks to a client that has not declared the extension.'],
    ['tasks.whole-notification', 'MUST', 'A notification has the whole task, as tasks/get would.'],
  ]),
  ...inOneEra('2026-07-28', 'ext-tasks#streamable-http-routing-headers', [
    ['tasks.headers', 'MUST', 'It compares Mcp-Name with the id of the task.'],
  ]),
  ...inOneEra('2026-07-28', 'ext-tasks#protocol-errors', [
    ['tasks.unknown', 'MUST', 'It answers for an unknown task, and for one of another client, with -32602.'],
    ['tasks.methods-undeclared', 'MUST', 'It answers tasks/ methods of a client without the extension with -32021.'],
  ]),
  ...inOneEra('2026-07-28', 'ext-tasks#task-execution-errors', [
    ['tasks.tool-error', 'MUST', 'A task whose tool failed is completed, with isError in its result.'],
    ['tasks.failed', 'MUST', 'A task whose call ended with a JSON-RPC error is failed, and has the error.'],
  ]),
];

/** Requirements of the specification that no test proves, or that the service deliberately does not follow. */
export const NOT_SHOWN: readonly { section: string; sentence: string; why: string }[] = [
  {
    section: '2025-11-25/basic/transports#sending-messages-to-the-server',
    sentence: 'A disconnection SHOULD NOT be taken for a cancellation.',
    why: 'The service cancels the call unless the client can resume it: docs/adr/0004-disconnect-cancels.md.',
  },
  {
    section: '2026-07-28/basic/index#error-codes',
    sentence: 'New implementations SHOULD NOT use codes from -32000 to -32019.',
    why: 'Refusals before the protocol (no key, limits) have -32000 in both eras, because clients know it.',
  },
  {
    section: '2025-11-25/basic/lifecycle#initialization',
    sentence: 'A server SHOULD NOT send requests before it has received notifications/initialized.',
    why: 'A session may be used without this notification, and a skill may ask within its call. No test shows it.',
  },
  {
    section: '2026-07-28/basic/transports/streamable-http#security-endpoint',
    sentence: 'A server that runs locally SHOULD bind only to localhost.',
    why: 'HOST is 127.0.0.1 by default (src/platform/environment/environment.spec.ts). No test looks at the socket.',
  },
  {
    section: '2026-07-28/basic/index#implementation-requirements',
    sentence: 'Servers MUST support JSON Schema 2020-12, and tell of dialects that they do not support.',
    why: 'Schemas come from skills, so the tests of the skills and the conformance suite look at them.',
  },
  {
    section: '2026-07-28/server/tools#output-schema',
    sentence: 'Servers MUST provide structured results that conform to the output schema.',
    why: 'The call path of the skills checks it, not the endpoint.',
  },
  {
    section: '2026-07-28/server/tools#security-considerations',
    sentence: 'Servers MUST implement access controls and sanitize outputs.',
    why: 'Policy decides about each call on the way to the skill, not at the endpoint; outputs are passed on as they are.',
  },
  {
    section: '2026-07-28/server/resources#security-considerations',
    sentence: 'Servers MUST sanitize file paths.',
    why: 'No store reads files by URI.',
  },
  {
    section: '2026-07-28/server/utilities/caching#interaction-with-pagination',
    sentence: 'Servers MUST apply the same cacheScope to all pages of a list.',
    why: 'The hints are one constant for each method, private for all. No test compares pages.',
  },
  {
    section: '2026-07-28/server/utilities/logging#security',
    sentence: 'Log messages MUST NOT contain secrets.',
    why: 'Skills write them. The service adds nothing of its own.',
  },
];

type Row = readonly [id: string, level: ProtocolBehaviour['level'], sentence: string];

function inOneEra(era: Era, section: string, rows: readonly Row[]): ProtocolBehaviour[] {
  return rows.map(([id, level, sentence]) => ({ id, level, sentence, sections: { [era]: section } }));
}

function inBothEras(section2025: string, section2026: string, rows: readonly Row[]): ProtocolBehaviour[] {
  const sections = { '2025-11-25': section2025, '2026-07-28': section2026 };
  return rows.map(([id, level, sentence]) => ({ id, level, sentence, sections }));
}
