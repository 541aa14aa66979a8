import { isAuthorized, policyToJson } from '@cedar-policy/cedar-wasm/nodejs';
import {
  compilePolicy,
  type Entity,
  EntityUid,
  jsonRecord,
  type PolicyJson,
  PolicySet,
  recordOf,
  Slice,
  UnsupportedExpression,
  CedarSet,
} from './index.js';
import { Random } from '../../../test/fuzz/random.js';

const NAMES = ['ada', 'bob', 'ci'];
const GROUPS = ['ops', 'docs'];
const TOOLS = ['deploy', 'search'];
const TEXTS = ['', 'a', 'prod', '/etc/passwd', '/etc/', 'x*y', 'é'];

/** Generates a random expression that has the given type, most of the time. */
function expression(
  random: Random,
  type: 'bool' | 'long' | 'text' | 'set' | 'decimal' | 'entity',
  depth: number,
): string {
  if (random.next() < 0.03) type = random.pick(['bool', 'long', 'text', 'set', 'entity']);
  const sub = (of: typeof type) => expression(random, of, depth - 1);
  const leaf = depth <= 0 || random.next() < 0.2;
  switch (type) {
    case 'long':
      return leaf
        ? random.pick(['0', '1', '-3', '7', 'context.hour', 'context.args.count', 'context.args.deep.n'])
        : random.pick([
            () => `(${sub('long')} + ${sub('long')})`,
            () => `(${sub('long')} - ${sub('long')})`,
            () => `(${sub('long')} * ${sub('long')})`,
            () => `(-(${sub('long')}))`,
            () => `(if ${sub('bool')} then ${sub('long')} else ${sub('long')})`,
          ])();
    case 'text':
      return leaf
        ? random.pick([
            ...TEXTS.map((text) => JSON.stringify(text)),
            'context.args.path',
            'context.program',
            'principal.name',
            'resource.kind',
            'context.args.none',
          ])
        : `(if ${sub('bool')} then ${sub('text')} else ${sub('text')})`;
    case 'set':
      return random.pick([
        '["a", "prod"]',
        'resource.tags',
        'context.args.names',
        '[1, 7]',
        '[]',
        '[["a"], ["a", "a"]]',
        `[${sub('text')}, ${sub('text')}]`,
      ]);
    case 'decimal':
      return random.pick([
        'decimal("1.5")',
        'decimal("-0.0001")',
        'decimal("7.0")',
        'context.args.ratio',
        'decimal("1.23456")',
      ]);
    case 'entity':
      return random.pick([
        'principal',
        'resource',
        'action',
        'Client::"ada"',
        'Group::"ops"',
        'Tool::"deploy"',
        'Client::"nobody"',
      ]);
    case 'bool':
      if (leaf)
        return random.pick([
          'true',
          'false',
          'resource.readOnly',
          'context.args.force',
          'context has args',
          'context.args has count',
          'context.args has "no such"',
          'context.args has deep.n',
          'principal has name',
          'context has none',
        ]);
      return random.pick([
        () => `(${sub('bool')} && ${sub('bool')})`,
        () => `(${sub('bool')} || ${sub('bool')})`,
        () => `(!${sub('bool')})`,
        () => `(${sub('long')} ${random.pick(['<', '<=', '>', '>='])} ${sub('long')})`,
        () => `(${sub('text')} ${random.pick(['==', '!='])} ${sub('text')})`,
        () => `(${sub('set')} == ${sub('set')})`,
        () => `(${sub('entity')} == ${sub('entity')})`,
        () => `(${sub('entity')} in ${random.pick([sub('entity'), `[${sub('entity')}, ${sub('entity')}]`])})`,
        () => `(${sub('entity')} is ${random.pick(['Client', 'Tool', 'Group'])})`,
        () => `(${sub('entity')} is Client in ${sub('entity')})`,
        () =>
          `(${sub('text')} like ${random.pick(['"*"', '"/etc/*"', '"*o*"', '"a"', '"x\\*y"', '""', '"*a*a*"', '"p*d"'])})`,
        () => `(${sub('set')}.contains(${sub(random.pick(['text', 'long']))}))`,
        () => `(${sub('set')}.${random.pick(['containsAll', 'containsAny'])}(${sub('set')}))`,
        () => `(${sub('set')}.isEmpty())`,
        () =>
          `(${sub('decimal')}.${random.pick(['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'])}(${sub('decimal')}))`,
        () => `(${sub('decimal')} == ${sub('decimal')})`,
        () => `({"a": ${sub('long')}, "b": ${sub('text')}} == {"b": ${sub('text')}, "a": ${sub('long')}})`,
        () => `({"a": ${sub('bool')}}.a)`,
        () => `(context == {"hour": ${sub('long')}})`,
      ])();
  }
}

function policyText(random: Random): string {
  const principal = random.pick([
    'principal',
    'principal',
    'principal == Client::"ada"',
    'principal in Group::"ops"',
    'principal is Client',
    'principal is Client in Group::"docs"',
  ]);
  const action = random.pick([
    'action',
    'action',
    'action == Action::"callTool"',
    'action in [Action::"callTool", Action::"readResource"]',
    'action in Action::"readResource"',
  ]);
  const resource = random.pick([
    'resource',
    'resource',
    'resource == Tool::"deploy"',
    'resource is Tool',
    'resource in Tool::"search"',
  ]);
  const conditions = Array.from(
    { length: Math.floor(random.next() * 3) },
    () => `${random.pick(['when', 'unless'])} { ${expression(random, 'bool', 3)} }`,
  );
  return `${random.pick(['permit', 'forbid', 'permit'])}(${principal}, ${action}, ${resource}) ${conditions.join(' ')};`;
}

/** A request for both implementations: JSON for Cedar, and entities for ours. */
function requestOf(random: Random) {
  const some = <T>(name: string, value: T): Record<string, T> => (random.next() < 0.75 ? { [name]: value } : {});
  const [name, tool, action] = [random.pick(NAMES), random.pick(TOOLS), random.pick(['callTool', 'readResource'])];
  const groups = GROUPS.filter(() => random.next() < 0.5);
  const tags = ['a', 'prod'].filter(() => random.next() < 0.5);
  const args = {
    ...some('count', random.pick([0, 1, 7, -3])),
    ...some('path', random.pick(TEXTS)),
    ...some('force', random.next() < 0.5),
    ...some(
      'names',
      TEXTS.filter(() => random.next() < 0.4),
    ),
    ...some('ratio', random.pick([1.5, 7, -0.0001, 0])),
    ...some('deep', { n: random.pick([1, 2]), ...some('m', 'x') }),
    ...(random.next() < 0.1 ? { path: 5, count: 'seven', names: 'a' } : {}),
  };
  const context = { hour: random.pick([0, 7, 23]), ...some('program', 'Cursor'), args };
  return {
    name,
    tool,
    action,
    groups,
    tags,
    readOnly: random.next() < 0.5,
    kind: random.pick(['code', 'workflow']),
    context,
  };
}

const SCHEMA = { properties: { ratio: { type: 'number' } } };

type Request = ReturnType<typeof requestOf>;

function cedarDecides(
  policies: Record<string, string>,
  { name, tool, action, groups, tags, readOnly, kind, context }: Request,
) {
  const ratio = 'ratio' in context.args && {
    ratio: { __extn: { fn: 'decimal', arg: decimalText(Number(context.args.ratio)) } },
  };
  const answer = isAuthorized({
    principal: { type: 'Client', id: name },
    action: { type: 'Action', id: action },
    resource: { type: 'Tool', id: tool },
    context: { ...context, args: { ...context.args, ...ratio } },
    policies: { staticPolicies: policies },
    entities: [
      { uid: { type: 'Client', id: name }, attrs: { name }, parents: groups.map((id) => ({ type: 'Group', id })) },
      { uid: { type: 'Tool', id: tool }, attrs: { name: tool, kind, tags, readOnly }, parents: [] },
    ],
  });
  if (answer.type === 'failure') throw new Error(JSON.stringify(answer.errors));
  const { decision, diagnostics } = answer.response;
  return {
    allowed: decision === 'allow',
    deciding: diagnostics.reason.sort(),
    failed: diagnostics.errors.map(({ policyId }) => policyId).sort(),
  };
}

const decimalText = (number: number) => (Number.isInteger(number) ? `${number}.0` : String(number));

function oursDecides(set: PolicySet, request: Request) {
  const { name, tool, action, groups, tags, readOnly, kind, context } = request;
  const principal: Entity = {
    uid: new EntityUid('Client', name),
    attributes: recordOf([['name', name]]),
    ancestors: new Set(groups.map((group) => new EntityUid('Group', group).key)),
  };
  const resource: Entity = {
    uid: new EntityUid('Tool', tool),
    attributes: recordOf([
      ['name', tool],
      ['kind', kind],
      ['tags', CedarSet.of(tags)],
      ['readOnly', readOnly],
    ]),
    ancestors: new Set(),
  };
  const args = jsonRecord(context.args, SCHEMA);
  const whole = recordOf([
    ['hour', context.hour],
    ...('program' in context ? [['program', String(context.program)] as const] : []),
    ['args', args],
  ]);
  const environment = { principal, action: new EntityUid('Action', action), resource, context: whole };
  const concerning = set.narrow(principal, environment.action).concerning(resource);
  const known = {
    ...environment,
    context: recordOf('program' in context ? [['program', String(context.program)]] : []),
  };
  const decisions = [
    Slice.of(concerning, environment, () => true).decide(environment),
    Slice.of(
      concerning,
      known,
      (read) => read === 'context.program' || (read.startsWith('resource.') && read !== 'context.*'),
    ).decide(environment),
  ];
  return decisions.map(({ allowed, deciding, failed }) => ({
    allowed,
    deciding: deciding.map(({ id }) => id).sort(),
    failed: failed.map(({ id }) => id).sort(),
  }));
}

function jsonOf(text: string): PolicyJson {
  const answer = policyToJson(text);
  if (answer.type === 'failure') throw new Error(`${text}: ${JSON.stringify(answer.errors)}`);
  return answer.json as PolicyJson;
}

describe('decisions by compiled policies', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('are those of Cedar (seed %d)', (seed) => {
    const random = new Random(1000 + seed);
    const texts = Object.fromEntries(
      Array.from({ length: 1 + Math.floor(random.next() * 8) }, (_, index) => [`p${index}`, policyText(random)]),
    );
    const guards = new Set(Object.keys(texts).filter((id) => texts[id]?.startsWith('forbid') || random.next() < 0.3));
    const set = new PolicySet(
      Object.entries(texts).map(([id, text]) => compilePolicy(id, jsonOf(text), guards.has(id))),
    );
    for (let count = 0; count < 60; count += 1) {
      const request = requestOf(random);
      const cedar = cedarDecides(texts, request);
      // Cedar skips a policy that cannot be evaluated. In ours, the guard then denies.
      const isUnsure = cedar.failed.some((id) => guards.has(id));
      const [whole, sliced] = oursDecides(set, request);
      const shown = JSON.stringify({ texts, request }, null, 1);
      expect([shown, whole?.failed]).toEqual([shown, cedar.failed]);
      for (const ours of [whole, sliced]) expect([shown, ours?.allowed]).toEqual([shown, cedar.allowed && !isUnsure]);
      if (!isUnsure) expect([shown, whole?.deciding]).toEqual([shown, cedar.deciding]);
      for (const id of sliced?.deciding ?? []) expect(whole?.deciding).toContain(id);
    }
  });

  it('refuses what it does not know', () => {
    const text = 'permit(principal, action, resource) when { ip("10.0.0.1").isIpv4() };';
    expect(() => compilePolicy('p', jsonOf(text))).toThrow(UnsupportedExpression);
  });
});

describe('arguments that strangers choose', () => {
  const nested = (depth: number): object => (depth === 0 ? { end: 'x' } : { next: nested(depth - 1) });
  const FORBID = 'forbid(principal, action, resource) when { context.args.path like "/etc/*" };';

  /** Decides with this policy, and one that permits everything. */
  function decide(policy: string, json: object, schema?: object) {
    const args = jsonRecord(json, schema);
    const someone = { attributes: recordOf([]), ancestors: new Set<string>() };
    const environment = {
      principal: { uid: new EntityUid('Client', 'ada'), ...someone },
      action: new EntityUid('Action', 'callTool'),
      resource: { uid: new EntityUid('Tool', 'deploy'), ...someone },
      context: recordOf([['args', args]]),
    };
    const policies = [policy, 'permit(principal, action, resource);'].map((text, index) =>
      compilePolicy(`p${index}`, jsonOf(text)),
    );
    return Slice.of(policies, environment, () => true).decide(environment).allowed;
  }

  it.each([
    ['a text that it forbids', { path: '/etc/passwd' }],
    ['an unknown of Cedar', { path: { __extn: { fn: 'unknown', arg: 'x' } } }],
    ['a function of Cedar', { path: { __extn: { fn: 'decimal', arg: '1.0' } } }],
    ['an entity of Cedar', { path: { __entity: { type: 'Client', id: 'admin' } } }],
    ['an expression of Cedar', { path: { __expr: '"x"' } }],
    ['null', { path: null }],
    ['nothing', {}],
    ['a list', { path: ['/etc/passwd'] }],
    ['a number', { path: 1 }],
    ['a text in another prototype', Object.create({ path: 'harmless' }) as object],
    ['the name of a prototype', JSON.parse('{"__proto__": {"path": "harmless"}}') as object],
  ])('do not switch a prohibition off: %s', (_what, args) => {
    expect(decide(FORBID, args)).toBe(false);
  });

  it('are compared when they are what the policy expects', () => {
    expect(decide(FORBID, { path: '/srv/x' })).toBe(true);
    expect(decide(FORBID, { path: '/srv/\ud800' })).toBe(true);
  });

  it('are not equal to an entity that they describe', () => {
    const policy = 'permit(principal, action, resource) when { context.args.who == Client::"admin" };';
    const forbid = 'forbid(principal, action, resource) when { context.args.who == Client::"admin" };';
    const who = { __entity: { type: 'Client', id: 'admin' } };
    expect([decide(forbid, { who }), decide(policy, { who })]).toEqual([true, true]);
    expect(decide('forbid(principal, action, resource) unless { context.args.who == Client::"admin" };', { who })).toBe(
      false,
    );
  });

  it.each([
    ['beyond 2^53', 2 ** 53],
    ['with a fraction', 1.5],
    ['infinite', Infinity],
    ['not a number', NaN],
  ])('are refused when a number that is compared is %s', (_what, count) => {
    expect(decide('forbid(principal, action, resource) when { context.args.count > 100 };', { count })).toBe(false);
  });

  it('are exact decimals where the schema says number', () => {
    const policy = 'forbid(principal, action, resource) when { context.args.ratio.greaterThan(decimal("1.5")) };';
    const schema = { properties: { ratio: { type: 'number' } } };
    const outcomes = [1.5, 1, -3, 1.4999].map((ratio) => decide(policy, { ratio }, schema));
    expect(outcomes).toEqual([true, true, true, true]);
    expect([1.5001, 2, 1.50001, 1e300].map((ratio) => decide(policy, { ratio }, schema))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('take bounded time, however deep, long and many they are', () => {
    const policy = (condition: string) => `forbid(principal, action, resource) when { ${condition} };`;
    const isSame = (a: object, b: object) =>
      decide('forbid(principal, action, resource) unless { context.args.a == context.args.b };', { a, b });
    expect([isSame(nested(30), nested(30)), isSame(nested(5_000), nested(5_000))]).toEqual([true, false]);
    const names = (length: number) => Array.from({ length }, (_, index) => `n${index}`);
    expect([isSame(names(9_000), names(9_000)), isSame(names(100_000), names(100_000))]).toEqual([true, false]);
    const long = 'a'.repeat(4_000_000);
    expect(decide(policy(`context.args.a like "*${'a'.repeat(500)}b*${'a'.repeat(500)}c*"`), { a: long })).toBe(false);
    expect(decide(policy('context.args.a like "*b"'), { a: long })).toBe(true);
  });
});
