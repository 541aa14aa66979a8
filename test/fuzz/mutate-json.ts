import type { Random } from './random.js';

type Members = Record<string, unknown>;
type Path = readonly (string | number)[];

type Edit = (random: Random, value: unknown) => string;

const MOST_EDITS = 3;

/**
 * Serializes a valid value as JSON with one to three structural errors: a type, a number, a text, a name, the depth, a
 * duplicate or missing member. The text is always syntactically valid JSON (RFC 8259).
 */
export function mutate(random: Random, value: unknown): string {
  const paths = pathsIn(value);
  const edited = new Set<string>();
  for (let edits = random.integer(1, MOST_EDITS + 1); edits > 0; edits -= 1) {
    edited.add(keyOf(paths[random.integer(0, paths.length)] ?? []));
  }
  return write(random, value, [], edited);
}

function write(random: Random, value: unknown, path: Path, edited: ReadonlySet<string>): string {
  if (edited.has(keyOf(path))) return editFor(random, value)(random, value);
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => write(random, item, [...path, index], edited)).join(',')}]`;
  }
  if (!isMembers(value)) return plain(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${plain(name)}:${write(random, member, [...path, name], edited)}`).join(',')}}`;
}

function editFor(random: Random, value: unknown): Edit {
  if (random.chance(0.3)) return random.pick(EDITS_OF_ANYTHING);
  if (typeof value === 'string') return random.pick(EDITS_OF_TEXTS);
  if (typeof value === 'number') return (chance) => chance.pick(NUMBERS);
  if (Array.isArray(value)) return random.pick(EDITS_OF_ARRAYS);
  if (isMembers(value)) return random.pick(EDITS_OF_OBJECTS);
  return random.pick(EDITS_OF_ANYTHING);
}

/** As JSON text: some have no equivalent number in JavaScript. */
const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e-400',
  '1e400',
  '-1e400',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '2147483648',
  '4294967296',
  '1E308',
  '123456789012345678901234567890',
] as const;

const JUNK = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '""',
  '[null]',
  '[[]]',
  '{"":{}}',
  '"0"',
  '"null"',
  '[1,"a",{}]',
] as const;

/** Member names that are known to cause vulnerabilities. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
] as const;

const PIECES = [
  '\\u0000',
  '\\ud800',
  '\\udc00',
  '\\udc00\\ud800',
  '\\ud83d\\ude00',
  '\\uffff',
  '\\ufeff',
  '\\u202e',
  '\\u0301'.repeat(30),
  '\\u0300'.repeat(5_000),
  '\\r\\n\\t',
  '\\u001b[31m',
  '\\"',
  '\\\\',
  '../../',
  "' or 1=1 --",
  '%00',
  '%',
  '${x}',
  '*',
  'x'.repeat(300),
  'x'.repeat(3_000),
  'word '.repeat(2_000),
  '\\ufdfa'.repeat(200),
] as const;

const EDITS_OF_ANYTHING: readonly [Edit, ...Edit[]] = [
  (random) => random.pick(JUNK),
  (random) => random.pick(NUMBERS),
  (random) => `"${random.pick(PIECES)}"`,
  (_random, value) => `[${plain(value)}]`,
  (_random, value) => `{"value":${plain(value)}}`,
  (random, value) => deep(random.integer(2, 300), value),
  (_random, value) => plain(plain(value)),
  (random) => objectOf(random, random.integer(1, 50)),
];

const EDITS_OF_TEXTS: readonly [Edit, ...Edit[]] = [
  (random, value) => spliced(random, String(value)),
  (random, value) => spliced(random, String(value)),
  (random) => `"${random.pick(PIECES)}"`,
  (random) => plain(random.pick(NAMES)),
  (_random, value) => plain(String(value).toUpperCase()),
  (_random, value) => plain(` ${String(value)} `),
  (random, value) => plain(String(value).repeat(random.integer(2, 200))),
  (random) => `"${(random.chance(0.02) ? 'x' : '\\u0041').repeat(random.integer(1, 20_000))}"`,
  () => '""',
];

const EDITS_OF_ARRAYS: readonly [Edit, ...Edit[]] = [
  () => '[]',
  (_random, value) => plain([...asArray(value)].reverse()),
  (_random, value) => plain(asArray(value).slice(1)),
  (random, value) => plain([...asArray(value), random.integer(0, 9)]),
  (random, value) => plain(Array.from({ length: random.integer(2, 300) }, () => asArray(value)[0] ?? null)),
  (_random, value) => plain({ ...asArray(value) }),
  (_random, value) => plain([value]),
];

const EDITS_OF_OBJECTS: readonly [Edit, ...Edit[]] = [
  function withoutAMember(random, value) {
    const members = membersOf(value);
    const without = random.integer(0, members.length || 1);
    return objectText(members.filter((_, index) => index !== without));
  },
  function aMemberTwice(random, value) {
    const members = membersOf(value);
    const twice = members[random.integer(0, members.length || 1)];
    return objectText(twice ? [...members, [twice[0], random.pick(JUNK)]] : members);
  },
  function aMemberFirstWrong(random, value) {
    const members = membersOf(value);
    const twice = members[random.integer(0, members.length || 1)];
    return objectText(twice ? [[twice[0], random.pick(JUNK)], ...members] : members);
  },
  function aMemberRenamed(random, value) {
    const members = membersOf(value);
    const renamed = random.integer(0, members.length || 1);
    return objectText(members.map(([name, text], index) => [index === renamed ? random.pick(NAMES) : name, text]));
  },
  function aNameAdded(random, value) {
    const poison = random.pick([...JUNK, '{"isError":true,"admin":true}', '{"prototype":{"admin":true}}']);
    return objectText([...membersOf(value), [random.pick(NAMES), poison]]);
  },
  function aStrangeNameAdded(random, value) {
    const strange = objectText(membersOf(value)).slice(0, -1);
    return `${strange}${strange === '{' ? '' : ','}"${random.pick(PIECES)}":1}`;
  },
  function membersAsPairs(_random, value) {
    return `[${membersOf(value)
      .map(([name, text]) => `[${plain(name)},${text}]`)
      .join(',')}]`;
  },
  function oneMemberInsideAnother(_random, value) {
    const [first, ...rest] = membersOf(value);
    return first ? objectText([[first[0], objectText(rest)]]) : '{}';
  },
];

/** Returns a text with an unusual string inserted. */
function spliced(random: Random, text: string): string {
  const at = random.integer(0, text.length + 1);
  return `"${plain(text.slice(0, at)).slice(1, -1)}${random.pick(PIECES)}${plain(text.slice(at)).slice(1, -1)}"`;
}

function deep(depth: number, value: unknown): string {
  return depth % 2 === 0
    ? `${'['.repeat(depth)}${plain(value)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}${plain(value)}${'}'.repeat(depth)}`;
}

function objectOf(random: Random, size: number): string {
  return objectText(Array.from({ length: size }, (_, index) => [`key${index}`, random.pick(JUNK)]));
}

const objectText = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, text]) => `${plain(name)}:${text}`).join(',')}}`;

const membersOf = (value: unknown): [string, string][] =>
  isMembers(value)
    ? Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, plain(member)]]))
    : [];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item, index) => pathsIn(item, [...path, index]))];
  if (!isMembers(value)) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

const keyOf = (path: Path): string => JSON.stringify(path);
const plain = (value: unknown): string => JSON.stringify(value) ?? 'null';
const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;
