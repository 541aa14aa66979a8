import { Cron } from 'croner';
import { durationMs, timeOf } from '../durations.js';
import type { Json } from '../json.js';
import { quoted } from './quoting.js';

/** The required format of a literal text. */
export interface Format {
  /** For JSON Schema, if it can be expressed there. */
  pattern?: string;
  examples?: string[];
  /** Returns what is wrong with a text, as the end of a sentence; null when it is valid. */
  problemOf(text: string): string | null;
}

function matching(pattern: string, meaning: string, examples?: string[]): Format {
  const expression = new RegExp(pattern);
  return { pattern, ...(examples && { examples }), problemOf: (text) => (expression.test(text) ? null : meaning) };
}

/** Any text except an expression. */
export const ANY_TEXT: Format = { problemOf: () => null };

/** A name that the author of the document chooses. */
export const ANY_NAME: Format = { problemOf: () => null };

/** Ten years: an upper bound for any realistic wait. */
export const LONGEST_MS = 3_653 * 86_400_000;

export function millisecondsOf(duration: Json): number | null {
  try {
    return durationMs(duration);
  } catch {
    return null;
  }
}

export const DURATION: Format = {
  pattern: '^P(?=.)',
  examples: ['PT30S', 'PT15M', 'P1D'],
  problemOf(text) {
    const milliseconds = millisecondsOf(text);
    if (milliseconds === null)
      return 'must be an ISO 8601 duration such as PT30S, or an object such as { seconds: 30 }';
    return milliseconds > LONGEST_MS ? 'must not be longer than 10 years' : null;
  },
};

export const TIME: Format = {
  examples: ['2026-12-24T08:00:00Z', '2026-12-24T08:00:00+01:00'],
  problemOf: (text) =>
    timeOf(text) === null ? 'must be a time of RFC 3339, with Z or an offset, such as 2026-12-24T08:00:00+01:00' : null,
};

export const CRON: Format = {
  examples: ['0 7 * * *', '*/15 * * * *', '0 9 * * 1-5'],
  problemOf(text) {
    const wanted = 'must be a cron expression with five fields (minute hour day month weekday), such as "0 7 * * *"';
    const isNickname = /^@(yearly|annually|monthly|weekly|daily|hourly)$/i.test(text);
    if (text.length > 200 || (!isNickname && text.trim().split(/\s+/).length !== 5)) return wanted;
    try {
      const next = new Cron(text, { paused: true }).nextRun();
      return next === null ? 'never happens: no date fits this cron expression' : null;
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '').slice(0, 100) : '';
      return `${wanted}${reason && ` (${reason})`}`;
    }
  },
};

const NUMERIC = String.raw`(0|[1-9]\d{0,8})`;
const SEMVER = String.raw`^${NUMERIC}\.${NUMERIC}\.${NUMERIC}(?:-[0-9A-Za-z.-]{1,64})?(?:\+[0-9A-Za-z.-]{1,64})?$`;
export const VERSION = matching(SEMVER, 'must be a semantic version such as 1.0.0', ['1.0.0']);
export const VERSION_OR_LATEST: Format = {
  examples: ['latest', '1.0.0'],
  problemOf: (text) =>
    text === 'latest' ? null : VERSION.problemOf(text) && 'must be a version such as 1.0.0, or latest',
};

export const DSL_VERSION: Format = {
  pattern: SEMVER,
  examples: ['1.0.3'],
  problemOf(text) {
    if (VERSION.problemOf(text) !== null) return 'must be a version of the DSL: 1.0.0 to 1.0.3';
    return /^1\./.test(text) && !/^1\.0\.0-/.test(text)
      ? null
      : 'is a version of the DSL that is not supported: use 1.0.3';
  },
};

export const NAMESPACE = matching(
  '^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$',
  'must consist of 1 to 63 letters, digits and hyphens',
  ['default'],
);

export const WORKFLOW_NAME = matching(
  '^[a-zA-Z][a-zA-Z0-9_-]{0,63}$',
  'is the name of the tool that clients see: it must begin with a letter, and have at most 64 letters, digits, _ and -',
  ['feed-digest'],
);

export const COMPONENT_NAME = matching('^[^/~]{1,100}$', 'must have 1 to 100 characters, without / and ~');

/** The names of the DSL's variables. */
const STANDARD_VARIABLES = ['context', 'input', 'output', 'task', 'workflow', 'runtime', 'secrets'];
const TAKEN = new Set<string>([...STANDARD_VARIABLES, 'authorization', 'ENV', '__loc__', '__prog_args', 'ARGS']);

export const VARIABLE: Format = {
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
  examples: ['item'],
  problemOf(text) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text)) {
      return 'must be a name of letters, digits and _, without $: expressions read it as $name';
    }
    return TAKEN.has(text) ? `is a variable that every expression has: choose another name than ${quoted(text)}` : null;
  },
};

export const HTTP_METHOD = matching(
  '^(?:[Gg][Ee][Tt]|[Hh][Ee][Aa][Dd]|[Pp][Oo][Ss][Tt]|[Pp][Uu][Tt]|[Pp][Aa][Tt][Cc][Hh]|[Dd][Ee][Ll][Ee][Tt][Ee]|[Oo][Pp][Tt][Ii][Oo][Nn][Ss])$',
  'must be one of get, head, post, put, patch, delete, options',
  ['get', 'post'],
);

export const HEADER_NAME = matching(
  "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$",
  'is not a name that an HTTP header can have',
);

export const HEADER_VALUE = matching(
  String.raw`^[\t\x20-\x7e\x80-\xff]{0,8000}$`,
  'is not a value that an HTTP header can have: no line breaks, and at most 8000 characters',
);

/** Features of URI templates beyond simple expansion (RFC 6570): operators, modifiers, and lists of names. */
const NOT_SIMPLE = /^[+#./;?&]|[*,]|:\d+$/;
const SIMPLE_ONLY =
  'only {name} is, encoded; put the query under query, and make other addresses with an expression: \'${ "https://a.example/" + .path }\'';
const ENCODED_TOO =
  'whose value is encoded too: put the start of the address there, or make it with an expression: \'${ .base + "/path" }\'';

export const ENDPOINT: Format = {
  examples: ['https://api.example.com/items/{id}'],
  problemOf(text) {
    const wanted = 'must be an http or https URL, in which {name} stands for a property of the input';
    if (text.length > 8000) return 'must have at most 8000 characters';
    const [special] = [...text.matchAll(/\{([^{}]*)\}/g)].filter(([, name = '']) => NOT_SIMPLE.test(name));
    if (special) return `has ${special[0].slice(0, 60)}, which is not supported: ${SIMPLE_ONLY}`;
    const [first] = /^\{[^{}]+\}/.exec(text) ?? [];
    // The value of a scheme is known only when the task runs.
    if (first) return text.startsWith('://', first.length) ? null : `begins with ${first.slice(0, 60)}, ${ENCODED_TOO}`;
    if (!/^https?:\/\//i.test(text)) return wanted;
    const url = text.replace(/\{[^{}]*\}/g, 'x');
    return URL.canParse(url) && !/\s/.test(url) ? null : wanted;
  },
};

export const ERROR_TYPE: Format = {
  examples: ['https://serverlessworkflow.io/spec/1.0.0/errors/runtime'],
  problemOf: (text) => (text.length > 0 && text.length <= 2000 && !/\s/.test(text) ? null : 'must be a URI'),
};

export const ERROR_INSTANCE = matching('^(?:/.{0,2000})?$', 'must be a JSON Pointer such as /do/0/fetch');

export const EVENT_ATTRIBUTE = matching(
  '^[a-z0-9]{1,40}$',
  'is not a name that an attribute of a CloudEvent can have: lower-case letters and digits only',
);

/** Filters may be regular expressions. */
export const EVENT_FILTER: Format = {
  problemOf(text) {
    if (text.length > 1000) return 'must have at most 1000 characters';
    try {
      new RegExp(text, 'u');
      return null;
    } catch {
      return 'must be text, or a regular expression; this is not a valid one';
    }
  },
};
