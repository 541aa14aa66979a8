/** A workflow that causes damage unless limits stop it. */
export interface HostileWorkflow {
  readonly name: string;
  /** All workflows that it needs; the first one is started. */
  readonly texts: readonly string[];
  readonly input?: object;
  readonly status: 'completed' | 'failed';
  /** Matches the detail of its error. */
  readonly detail?: RegExp;
}

export const head = (name: string): string =>
  `document: { dsl: '1.0.3', namespace: hostile, name: ${name}, version: '1.0.0', summary: Does harm. }\n`;
const times = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
let number = 0;
/** Returns a workflow with tasks in YAML flow style. */
const flow = (tasks: string, more = ''): string => `${head(`h${(number += 1)}`)}${more}do: ${tasks}\n`;
const expression = (program: string): string => JSON.stringify(`\${ ${program} }`);
const evaluating = (program: string): string => flow(`[{ bomb: { set: { a: ${expression(program)} } } }]`);

const TASKS = /executed 100000 tasks, which is the limit/;
const STEPS = /done 10000 steps, which is the limit/;
const TIME = /takes longer than 500 ms/;
const MEMORY = /needs too much memory|takes longer than 500 ms/;
const DEEP = new RegExp(`${MEMORY.source}|nested deeper`);
const LARGE = /larger than 1000000 characters|too large/;

/** Reaches the maximum number of steps of a run. */
export const MOST_STEPS: HostileWorkflow = {
  name: 'jumps back for ever, with a call each time',
  texts: [flow('[{ a: { call: system_info, then: a } }]')],
  status: 'failed',
  detail: STEPS,
};

const LOOPS: HostileWorkflow[] = [
  {
    name: 'jumps back for ever',
    texts: [flow('[{ a: { set: { n: 1 } } }, { b: { set: { n: 2 }, then: a } }]')],
    status: 'failed',
    detail: TASKS,
  },
  MOST_STEPS,
  {
    name: 'loops for ever in loops in loops',
    texts: [
      flow(
        ['x', 'y', 'z'].reduceRight(
          (tasks, each) =>
            `[{ l${each}: { for: { each: ${each}, in: ${expression('[range(1000)]')} }, while: "true", do: ${tasks} } }]`,
          '[{ a: { set: { n: 1 } } }]',
        ),
      ),
    ],
    status: 'failed',
    detail: TASKS,
  },
  {
    name: 'tries again for ever',
    texts: [
      flow(
        '[{ a: { try: [{ b: { raise: { error: { type: "https://example.com/e", status: 500, title: No } } } }], catch: { retry: { when: "true" } } } }]',
      ),
    ],
    status: 'failed',
    detail: TASKS,
  },
  {
    name: 'catches the error of its limit and goes on',
    texts: [
      flow('[{ a: { try: [{ b: { set: {}, then: b } }], catch: { do: [{ c: { set: {}, then: c } }] }, then: a } }]'),
    ],
    status: 'failed',
    detail: TASKS,
  },
  {
    name: 'has functions that call themselves',
    texts: [flow('[{ a: { call: f } }]', 'use: { functions: { f: { call: f } } }\n')],
    status: 'failed',
    detail: /nested deeper than 100 levels/,
  },
];

const EXPRESSIONS: HostileWorkflow[] = [
  ['counts to 10^12', 'last(range(1e12))', TIME],
  ['makes a list of 10^12', '[range(1e12)] | length', MEMORY],
  ['calls itself', 'def f: f; f', TIME],
  ['calls itself twice', 'def f: f | f; f', MEMORY],
  ['doubles a text 40 times', 'reduce range(40) as $i ("x"; . + .)', MEMORY],
  ['repeats a text 10^9 times', '"x" * (1e9 + now * 0) | length', MEMORY],
  ['nests 2,000 lists', 'reduce range(2000) as $i (1; [.])', DEEP],
  ['nests 1,000,000 lists', 'reduce range(1000000) as $i (1; [.])', DEEP],
  ['returns 10 MB', '"0123456789" * 1000000', LARGE],
  ['returns a million results', 'range(1000000)', /has several results/],
  [
    'has a pattern that takes exponential time',
    `("${'a'.repeat(40)}!" | test("^(a+)+$"))`,
    /retry-limit-in-match over|takes longer/,
  ],
].map(([name, program, detail]) => ({
  name: `an expression ${name as string}`,
  texts: [evaluating(program as string)],
  status: 'failed',
  detail: detail as RegExp,
}));

export const PATTERN = '{ type: string, pattern: "^(a+)+$" }';
export const EVIL = `${'a'.repeat(40)}!`;

const DATA: HostileWorkflow[] = [
  {
    name: 'doubles its data 40 times without a program',
    texts: [
      flow(
        `[${times(40)
          .map((n) => `{ d${n}: { set: { a: "\${ . }", b: "\${ . }" } } }`)
          .join(', ')}]`,
      ),
    ],
    input: { x: 1 },
    status: 'failed',
    detail: LARGE,
  },
  {
    name: 'doubles its context 40 times, in branches',
    texts: [
      flow(
        `[${times(40)
          .map((n) => `{ d${n}: { set: { a: "\${ $context }", b: "\${ $context }" }, export: { as: . } } }`)
          .join(
            ', ',
          )}, { f: { fork: { branches: [{ p: { set: { x: 1 } } }, { q: { set: { x: 2 }, export: { as: . } } }] } } }]`,
      ),
    ],
    status: 'failed',
    detail: LARGE,
  },
  {
    name: 'doubles a text until it is too large',
    texts: [flow('[{ a: { set: { t: "${ (.t // \\"0123456789\\") * 2 }" }, then: a } }]')],
    status: 'failed',
    detail: LARGE,
  },
  {
    name: 'nests its data without end',
    texts: [flow('[{ a: { set: { a: "${ . }" }, then: a } }]')],
    status: 'failed',
    detail: /nested deeper than 1000 levels/,
  },
  {
    name: 'keeps 900 KB at each of 1,000 steps',
    texts: [
      flow(
        `[{ big: { set: { t: ${expression('"x" * 900000')} } } }, { loop: { for: { in: ${expression('[range(1000)]')} }, do: [{ e: { emit: { event: { with: { source: "https://example.com/x", type: com.example.big, data: "\${ . }" } } } } }] } }]`,
      ),
    ],
    status: 'failed',
    detail: /returned more than 32000000 characters/,
  },
  {
    name: 'gives a call more than it may',
    texts: [
      flow(
        `[{ big: { set: { t: ${expression('"x" * 900000')} } } }, { a: { call: memory_search, with: { query: ${expression('.t')} } } }]`,
      ),
    ],
    status: 'failed',
    detail: /query/,
  },
];

const NUMBERS: HostileWorkflow[] = [
  {
    name: 'has 1,000 tasks',
    texts: [
      flow(
        `[${times(1_000)
          .map((n) => `{ t${n}: { set: { n: ${n} } } }`)
          .join(', ')}]`,
      ),
    ],
    status: 'completed',
  },
  {
    name: 'forks 990 ways',
    texts: [
      flow(
        `[{ f: { fork: { branches: [${times(990)
          .map((n) => `{ b${n}: { call: system_info } }`)
          .join(', ')}] } } }]`,
      ),
    ],
    status: 'completed',
  },
  {
    name: 'forks 990 ways into waits',
    texts: [
      flow(
        `[{ f: { fork: { branches: [${times(990)
          .map((n) => `{ b${n}: { wait: { milliseconds: ${1 + (n % 50)} } } }`)
          .join(', ')}] } } }]`,
      ),
    ],
    status: 'completed',
  },
  {
    name: 'forks in forks in forks',
    texts: [
      flow(
        times(3).reduce(
          (tasks, level) =>
            `[{ f${level}: { fork: { branches: [${times(7)
              .map((n) => `{ b${n}: { do: ${tasks} } }`)
              .join(', ')}] } } }]`,
          '[{ e: { wait: { milliseconds: 1 } } }]',
        ),
      ),
    ],
    status: 'completed',
  },
  {
    name: 'forks without end in functions',
    texts: [
      flow(
        '[{ a: { call: f } }]',
        'use: { functions: { f: { fork: { branches: [{ p: { call: f } }, { q: { call: f } }] } } } }\n',
      ),
    ],
    status: 'failed',
    detail: /more than 2000 branches at the same time/,
  },
];

const call = (name: string, more = ''): string =>
  `run: { workflow: { namespace: hostile, name: ${name}, version: '1.0.0' }${more} }`;

const RECURSIONS: HostileWorkflow[] = [
  {
    name: 'runs itself',
    texts: [`${head('itself')}do: [{ a: { ${call('itself')} } }]\n`],
    status: 'failed',
    detail: /at most 20 deep/,
  },
  {
    name: 'runs another that runs it',
    texts: [`${head('ping')}do: [{ a: { ${call('pong')} } }]\n`, `${head('pong')}do: [{ a: { ${call('ping')} } }]\n`],
    status: 'failed',
    detail: /at most 20 deep/,
  },
  {
    name: 'runs itself twice at the same time',
    texts: [
      `${head('twice')}do: [{ f: { fork: { branches: [{ a: { ${call('twice')} } }, { b: { ${call('twice')} } }] } } }]\n`,
    ],
    status: 'failed',
    detail: /at most 20 deep|at most 10000 together/,
  },
  {
    name: 'starts itself twice, caught, without waiting',
    texts: [
      `${head('spread')}do: [{ t: { try: [{ a: { ${call('spread', ', await: false')} } }, { b: { ${call('spread', ', await: false')} } }], catch: {} } }]\n`,
    ],
    status: 'completed',
  },
];

const PATTERNS: HostileWorkflow[] = [
  {
    name: 'checks its data by a pattern that takes exponential time',
    texts: [
      flow(
        `[{ a: { set: { t: ${JSON.stringify(EVIL)} }, output: { schema: { document: { type: object, properties: { t: ${PATTERN} } } } } } }]`,
      ),
    ],
    status: 'failed',
    detail: /could not be checked against its schema: it takes longer/,
  },
];

/** Workflows that all end by themselves, or are stopped by a limit. */
export const HOSTILE: readonly HostileWorkflow[] = [
  ...LOOPS,
  ...EXPRESSIONS,
  ...DATA,
  ...NUMBERS,
  ...RECURSIONS,
  ...PATTERNS,
];

/** Texts that are rejected when saved, with the message. */
export const REFUSED: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  [
    'anchors that stand for gigabytes',
    `x0: &x0 [${'1,'.repeat(99)}1]\n${times(9)
      .map((n) => `x${n + 1}: &x${n + 1} [${`*x${n},`.repeat(9)}*x${n}]\n`)
      .join('')}${flow('[{ a: { set: { b: *x9 } } }]')}`,
    /with its aliases replaced, the document has more than/,
  ],
  ['250 KB of brackets', '['.repeat(250_000), /takes more than 192 MB|nested more than 60 levels/],
  [
    '60,000 nested lists',
    `${head('deep')}do: [{ a: { set: { b: ${'['.repeat(60_000)}${']'.repeat(60_000)} } } }]`,
    /nested more than 60 levels/,
  ],
  [
    'tasks in tasks, 1,000 deep',
    flow(`${'[{ a: { do: '.repeat(1_000)}[{ b: { set: {} } }]${' } }]'.repeat(1_000)}`),
    /nested more than 60 levels/,
  ],
  [
    'more than 1,000 tasks',
    flow(
      `[${times(1_001)
        .map((n) => `{ t${n}: { set: {} } }`)
        .join(', ')}]`,
    ),
    /more than 1000 tasks/,
  ],
  [
    '300 KB of tasks',
    flow(
      `[${times(9_000)
        .map((n) => `{ task${n}: { set: { n: ${n} } } }`)
        .join(', ')}]`,
    ),
    /longer than 256 KB/,
  ],
];
