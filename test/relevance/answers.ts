/** Text of the answer in the question's document; or another document that answers it as well, with the text in it. */
type Answer = string | readonly [document: string, text: string];

/** A question, the document that answers it, and the texts of the answer: one of them is enough. */
export type JudgedAnswer = readonly [question: string, document: string, ...answers: [Answer, ...Answer[]]];

/** Written from the documents, before any search. Where a document answers in several places, each counts. */
export const ANSWERS: readonly JudgedAnswer[] = [
  [
    'How do I prevent a cron job from running again while the previous run is still in progress?',
    'croner/README.md',
    'Will block new triggers as long as an old trigger is in progress',
  ],
  ['Which day does 15W mean in a cron pattern?', 'croner/README.md', 'triggers on the weekday closest to the 15th'],
  [
    'let the process exit although a cron job is scheduled',
    'croner/README.md',
    'which allows the process to exit even if a cron job is running',
  ],
  ['milliseconds left until the next run of a job', 'croner/README.md', 'job.msToNext('],
  ['how to import croner in Deno', 'croner/README.md', 'jsr:@hexagon/croner'],
  [
    'Are day-of-month and day-of-week combined with AND or with OR by default?',
    'croner/README.md',
    'By default, Croner uses OR logic for day-of-month and day-of-week',
    'using true = AND, false = OR (default)',
  ],
  [
    'does croner fire a job at once whose date is in the past',
    'croner/README.md',
    'If true, date-based jobs scheduled in the past will fire immediately',
  ],
  [
    'check whether a date matches a cron pattern',
    'croner/README.md',
    'job.match( date )',
    "mondayCheck.match('2024-01-01T00:00:00')",
  ],
  ['stop a croner job for good', 'croner/README.md', 'It is not possible to resume after this'],

  ['disable the Content-Security-Policy header in helmet', 'helmet/README.md', 'contentSecurityPolicy: false'],
  ['How can I use a nonce in script-src?', 'helmet/README.md', "'nonce-${res.locals.cspNonce}'"],
  [
    'default directives of the content security policy that helmet sets',
    'helmet/README.md',
    "script-src-attr 'none'",
    'script-src-attr',
  ],
  [
    'What is the default max-age of Strict-Transport-Security?',
    'helmet/README.md',
    'Strict-Transport-Security: max-age=31536000; includeSubDomains',
    'It defaults to 365 days',
  ],
  ['only report violations of the content security policy', 'helmet/README.md', 'reportOnly: true'],
  [
    'turn off upgrade-insecure-requests in development because Safari upgrades localhost',
    'helmet/README.md',
    '"upgrade-insecure-requests": isDevelopment ? null : []',
  ],
  [
    'Cross-Origin-Embedder-Policy credentialless',
    'helmet/README.md',
    'crossOriginEmbedderPolicy: { policy: "credentialless" }',
  ],

  [
    'How can I allow one more tag such as img besides the default set?',
    'sanitize-html/README.md',
    "sanitizeHtml.defaults.allowedTags.concat([ 'img' ])",
  ],
  [
    'escape disallowed tags instead of discarding them',
    'sanitize-html/README.md',
    'the disallowed tags are escaped rather than discarded',
    "disallowedTagsMode: 'escape'",
  ],
  ['allow all data- attributes with a wildcard', 'sanitize-html/README.md', "a: [ 'href', 'data-*' ]"],
  ['keep the case of SVG elements such as linearGradient', 'sanitize-html/README.md', 'lowerCaseTags: false'],
  ['remove empty a tags with a filter', 'sanitize-html/README.md', "return frame.tag === 'a' && !frame.text.trim();"],
  ['change all ol tags to ul tags', 'sanitize-html/README.md', "'ol': 'ul',"],
  [
    'permit iframes only from youtube hostnames',
    'sanitize-html/README.md',
    "allowedIframeHostnames: ['www.youtube.com'",
  ],
  ['discard text outside of the html tags', 'sanitize-html/README.md', 'enforceHtmlBoundary: true'],
  ["What if I don't want to allow any tags at all?", 'sanitize-html/README.md', 'allowedTags: []'],
  ['Are there TypeScript types for sanitize-html?', 'sanitize-html/README.md', 'npm install -D @types/sanitize-html'],
  [
    'allow inline styles only for certain colors and font sizes',
    'sanitize-html/README.md',
    "'font-size': [/^\\d+(?:px|em|%)$/]",
    '**You must also use `allowedAttributes`** to activate the `style` attribute',
  ],
  ['allow only some CSS classes on a paragraph', 'sanitize-html/README.md', "'p': [ 'fancy', 'simple' ]"],
  [
    'Why is decodeEntities: false a risk?',
    'sanitize-html/README.md',
    '`decodeEntities: false` has known security concerns',
  ],

  ['Should I commit my .env file?', 'dotenv/README.md', 'Unless you encrypt it with'],
  ['multiline private key in an env file', 'dotenv/README.md', 'PRIVATE_KEY="-----BEGIN RSA PRIVATE KEY-----'],
  [
    'the value of my environment variable contains a hash sign #',
    'dotenv/README.md',
    'if your value contains a `#` please wrap it in quotes',
    '`#` marks the beginning of a comment (unless when the value is wrapped in quotes)',
  ],
  ['run a command with several .env files', 'dotenv/README.md', 'dotenv run --file .env.local,.env node index.js'],
  [
    'suppress the injected env message',
    'dotenv/README.md',
    'to suppress the injected env message',
    'change to true to suppress',
  ],
  ['use dotenv with ES6 import', 'dotenv/README.md', "import 'dotenv/config'"],
  [
    'is whitespace removed from unquoted values',
    'dotenv/README.md',
    'whitespace is removed from both ends of unquoted values',
  ],
  [
    'overwrite environment variables that exist already with dotenv run',
    'dotenv/README.md',
    'to overwrite existing environment variables',
    '| `--override` | Overwrite existing environment variables.',
  ],

  ['What does the tilde range ~1.2.3 allow?', 'semver/README.md', '`~1.2.3` := `>=1.2.3 <1.(2+1).0`'],
  [
    'Do version ranges match prerelease versions?',
    'semver/README.md',
    'it will only be allowed to satisfy comparator sets if at least one',
  ],
  [
    'increment a version with the prerelease identifier beta',
    'semver/README.md',
    "semver.inc('1.2.3', 'prerelease', 'beta')",
  ],
  [
    'hyphen range with a partial version as the second version',
    'semver/README.md',
    '`1.2.3 - 2.3` := `>=1.2.3 <2.4.0`',
  ],
  ['is a leading v in a version ignored', 'semver/README.md', 'character is stripped off and ignored'],
  ['What is a comparator set and how are two of them joined?', 'semver/README.md', 'joined by `||`'],

  ['enable CORS for a single route', 'cors/README.md', "app.get('/products/:id', cors(), function"],
  ['load the allowed origins from a database', 'cors/README.md', 'callback(error, origins)'],
  ['pre-flight request for DELETE', 'cors/README.md', "app.options('/products/:id', cors())"],
  [
    'legacy browsers such as IE11 choke on status 204',
    'cors/README.md',
    'optionsSuccessStatus: 200',
    '`optionsSuccessStatus`: Provides a status code',
  ],
  [
    'different CORS options depending on the path of the request',
    'cors/README.md',
    "req.path.startsWith('/auth/connect/')",
    'you can dynamically generate CORS options based on the incoming request',
  ],

  ['rotate the log files of pino with logrotate', 'pino/docs/help.md', '/etc/logrotate.d/myapp'],
  ['reopen the log file on SIGHUP', 'pino/docs/help.md', "process.on('SIGHUP', () => dest.reopen())"],
  ['show only error logs with jq', 'pino/docs/help.md', "jq 'select(.level == 50)'"],
  ['print names of log levels instead of numbers', 'pino/docs/help.md', 'level: label'],
  ['log lines show wrong characters in the Windows terminal', 'pino/docs/help.md', 'chcp 65001'],
  ['run logs of the debug module through pino', 'pino/docs/help.md', 'DEBUG=* node -r pino-debug app.js'],
  ['map log levels to Google Cloud Logging severity', 'pino/docs/help.md', "fatal: 'CRITICAL'"],
  ['errors to stderr and all other levels to stdout', 'pino/docs/help.md', "{level: 'error', stream: process.stderr}"],

  [
    'remove the redacted key and value from the log completely',
    'pino/docs/redaction.md',
    'remove: true',
    'The `redact.remove` option',
  ],
  ['How much overhead does redaction add?', 'pino/docs/redaction.md', 'adds about 2% overhead'],
  ['Are redaction paths case sensitive?', 'pino/docs/redaction.md', 'paths are **case sensitive**'],

  [
    'Which error do I get when a request with a stateful body would have to be retried?',
    'undici/docs/docs/api/RetryHandler.md',
    'UND_ERR_REQ_RETRY',
  ],
  [
    'does the retry handler honour the Retry-After header',
    'undici/docs/docs/api/RetryHandler.md',
    'Retry-After` response header',
    '`Retry-After`',
  ],

  [
    'handle a multipart form that has only text fields',
    'multer/README.md',
    'you should use the `.none()` method',
    'Accept only text fields.',
  ],
  [
    'where are uploaded files kept when I give no options',
    'multer/README.md',
    'the files will be kept in memory and never written to disk',
  ],
  ['accept up to 12 photos in one upload', 'multer/README.md', "upload.array('photos', 12)"],
  ['Why should multer not be a global middleware?', 'multer/README.md', 'Never add multer as a global middleware'],
  [
    'what does originalname contain when preservePath is on',
    'multer/README.md',
    'or the full path when `preservePath: true`',
    'with `preservePath` it additionally contains',
  ],
];
