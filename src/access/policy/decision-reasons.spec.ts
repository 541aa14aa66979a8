import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { Decisions } from './decisions.js';
import { policySetOf } from './policy.service.js';
import type { ToolSubject } from './policy-request.js';
import { cedarJson } from './testing.js';

const CLOCK = { hour: 12, weekday: 'monday' } as const;
const ADA: Client = { name: 'ada', groups: [] };
const DEPLOY: ToolSubject = { name: 'deploy', tags: [], kind: 'code', inputSchema: {} };
const PERMIT_ALL = 'permit (principal, action, resource);';

const decisionsBy = (policies: Record<string, string>) =>
  new Decisions(
    policySetOf(
      Object.entries(policies).map(([name, policy]) => ({ name, compiled: cedarJson(policy), enabled: true })),
    ),
  );

const callOf = (tool: ToolSubject, args: object = {}, client = ADA) =>
  ({ client, action: 'callTool', tool, arguments: args }) as const;

const nested = (depth: number): object => (depth === 0 ? {} : { next: nested(depth - 1) });

const decided = (policies: Record<string, string>, args: object = {}) =>
  decisionsBy(policies).decide(callOf(DEPLOY, args), CLOCK);

describe('a decision', () => {
  it('that permits names those who permit', () => {
    expect(decided({ all: PERMIT_ALL })).toEqual({
      allowed: true,
      reason: 'permitted',
      policies: ['all'],
      approval: null,
      userMayApprove: false,
      advice: null,
    });
  });

  it('that permits asks for all approvals that its policies require', () => {
    const asking = (question: string) => `@require_approval("${question}") ${PERMIT_ALL}`;
    expect(decided({ a: asking('Sure?'), b: PERMIT_ALL, c: asking('Really?') })).toMatchObject({
      allowed: true,
      approval: 'Sure? Really?',
    });
  });

  it.each(['@require_approval', '@require_approval("")', '@require_approval(" ")'])(
    'that permits asks something where %s does not say what',
    (annotation) => {
      expect(decided({ all: PERMIT_ALL, ask: `${annotation} ${PERMIT_ALL}` })).toMatchObject({
        allowed: true,
        approval: 'May this call be made?',
      });
    },
  );

  it.each<[string, object]>([
    ['a number that is too large to be exact', { amount: 1e300 }],
    ['a number with too many digits', { amount: Number('12345678901234567890') }],
    ['a number with a fraction', { amount: 500.5 }],
    ['no number', { amount: NaN }],
    ['a text in the place of a number', { amount: '500' }],
    ['a list in the place of a number', { amount: [500] }],
    ['a record in the place of a number', { amount: { __extn: { fn: 'decimal', arg: '1.0' } } }],
    ['a text that is too long for the pattern', { note: ' '.repeat(700_000) }],
    ['a list in the place of a text', { note: ['delete'] }],
    ['values that are nested too deep', { tree: nested(100) }],
    ['more values than are looked at', { list: Array.from({ length: 30_000 }, (_, index) => index) }],
    ['nothing', {}],
    ['null', { amount: null, note: null, tree: null, list: null }],
  ])('is a denial where a policy that asks for approval cannot be evaluated, for %s', (_what, args) => {
    const conditions = [
      'context.args.amount > 100',
      `context.args.note like "*${'delete '.repeat(5)}*"`,
      'context.args.tree == context.args.tree',
      'context.args.list.contains(7)',
    ];
    const [name] = Object.keys(args);
    const condition = conditions.find((text) => text.includes(`.${name ?? 'amount'}`)) ?? '';
    const ask = `@require_approval("Sure?") permit (principal, action == Action::"callTool", resource) when { ${condition} };`;
    expect(decided({ all: PERMIT_ALL, ask }, args)).toMatchObject({
      allowed: false,
      reason: 'unevaluable',
      policies: ['ask'],
      approval: null,
    });
  });

  it.each<[string, Record<string, string>, boolean]>([
    ['the policy says nothing of it', { ask: '@require_approval("Sure?")' }, false],
    ['the policy names the user', { ask: '@require_approval("Sure?") @approver("user")' }, true],
    ['it names somebody else', { ask: '@require_approval("Sure?") @approver("anybody")' }, false],
    ['others name nobody', { ask: '@require_approval @approver("user")', b: '@require_approval("Really?")' }, false],
    ['others ask nothing', { ask: '@require_approval @approver("user")', b: '@approver("administrator")' }, true],
  ])('says whether the user of the client may confirm the call: %s', (_what, annotations, userMayApprove) => {
    const policies = Object.entries(annotations).map(([name, text]) => [name, `${text} ${PERMIT_ALL}`] as const);
    expect(decided(Object.fromEntries(policies))).toMatchObject({ allowed: true, userMayApprove });
  });

  it('that forbids names those who forbid, with their advice', () => {
    expect(
      decided({
        all: PERMIT_ALL,
        no: '@advice("Use staging.") forbid (principal, action, resource == Tool::"deploy");',
        never: 'forbid (principal, action, resource) when { resource.kind == "code" };',
      }),
    ).toEqual({
      allowed: false,
      reason: 'forbidden',
      policies: ['no', 'never'],
      approval: null,
      userMayApprove: false,
      advice: 'Use staging.',
    });
  });

  it('that forbids without advice gives none', () => {
    expect(decided({ all: PERMIT_ALL, no: 'forbid (principal, action, resource);' }).advice).toBeNull();
  });

  it('is a denial where a prohibition cannot be evaluated, which it names', () => {
    const no = 'forbid (principal, action == Action::"callTool", resource) when { context.args.amount > 5 };';
    const decision = decided({ all: PERMIT_ALL, no }, { amount: 'much' });
    expect(decision).toMatchObject({ allowed: false, reason: 'unevaluable', policies: ['no'] });
  });

  it('is a denial where no policy permits, and names none', () => {
    const failing = 'permit (principal, action == Action::"callTool", resource) when { context.args.amount > 5 };';
    for (const policies of [{}, { failing }])
      expect(decided(policies, { amount: 'much' })).toMatchObject({
        allowed: false,
        reason: 'not_permitted',
        policies: [],
      });
  });

  it('is one and the same for all tools about which it is', () => {
    const decisions = decisionsBy({ all: PERMIT_ALL });
    const look: ToolSubject = { ...DEPLOY, name: 'look' };
    expect(decisions.decide(callOf(DEPLOY), CLOCK)).toBe(decisions.decide(callOf(look), CLOCK));
  });

  it('is about the tool itself, not about others that have had its name', () => {
    const decisions = decisionsBy({
      all: PERMIT_ALL,
      no: 'forbid (principal, action, resource) when { resource.readOnly };',
    });
    const readOnly: ToolSubject = { ...DEPLOY, annotations: { readOnlyHint: true } };
    const allowed = [DEPLOY, readOnly, DEPLOY].map((tool) => decisions.decide(callOf(tool), CLOCK).allowed);
    expect(allowed).toEqual([true, false, true]);
  });

  it('distinguishes programs only where policies do', () => {
    const by = (program: string): Client => ({ ...ADA, origin: { ...UNKNOWN_ORIGIN, program } });
    const policies = { all: PERMIT_ALL, no: 'forbid (principal, action, resource) when { context.program == "Old" };' };
    const decisions = decisionsBy(policies);
    const allowed = ['Old', 'New'].map((program) => decisions.decide(callOf(DEPLOY, {}, by(program)), CLOCK).allowed);
    expect([decisions.readsProgram, decisionsBy({ all: PERMIT_ALL }).readsProgram, ...allowed]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('is right for more callers than are remembered', () => {
    const decisions = decisionsBy({ all: PERMIT_ALL, no: 'forbid (principal == Client::"c7", action, resource);' });
    const allowed = (n: number) => decisions.decide(callOf(DEPLOY, {}, { name: `c${n}`, groups: [] }), CLOCK).allowed;
    for (let n = 0; n < 4_100; n += 1) expect(allowed(n)).toBe(n !== 7);
    expect([allowed(7), allowed(8)]).toEqual([false, true]);
  });
});

describe('the resources that a client may read', () => {
  it.each([
    ['forbid (principal, action == Action::"readResource", resource == Resource::"memory://a/b");', true],
    ['forbid (principal, action == Action::"readResource", resource) when { resource.uri like "memory://a/*" };', true],
    ['forbid (principal, action == Action::"readResource", resource) when { resource.store == "memory" };', false],
    ['forbid (principal, action == Action::"callTool", resource == Tool::"deploy");', false],
    ['forbid (principal == Client::"bob", action, resource == Resource::"memory://a/b");', false],
  ])('depend on the URI by %s: %s', (policy, do_) => {
    expect(decisionsBy({ all: PERMIT_ALL, policy }).distinguishesResources(ADA)).toBe(do_);
  });

  it('have a template as long as nothing forbids all of them', () => {
    const shows = (policy: string) =>
      decisionsBy({ all: PERMIT_ALL, policy }).mayShowTemplate(ADA, 'memory://{namespace}/{key}', CLOCK);
    const forbid = (rest: string) => `forbid (principal, action == Action::"readResource", ${rest};`;
    expect(shows(forbid('resource == Resource::"memory://a/b")'))).toBe(true);
    expect(shows(forbid('resource) when { resource.uri like "memory://a/*" }'))).toBe(true);
    expect(shows(forbid('resource) when { resource.store == "knowledge" }'))).toBe(true);
    expect(shows(forbid('resource) when { resource.store == "memory" }'))).toBe(false);
    expect(shows(forbid('resource)'))).toBe(false);
  });
});
