import { jest } from '@jest/globals';
import { isAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { choicesOf } from '../../../test/fuzz/random.js';
import { Slice } from '#cedar';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { Decisions } from './decisions.js';
import type { WallClock } from './policy-context.js';
import { policySetOf } from './policy.service.js';
import type { PolicyRequest, ToolSubject } from './policy-request.js';
import { cedarJson } from './testing.js';

const toolOf = (name: string, isReadOnly: boolean, tags: string[]): ToolSubject => ({
  name,
  kind: name === 'nightly' ? 'workflow' : 'code',
  tags,
  annotations: { readOnlyHint: isReadOnly },
  inputSchema: { type: 'object', properties: { amount: { type: 'integer' }, path: { type: 'string' } } },
});
const TOOLS = [toolOf('deploy', false, ['prod']), toolOf('look', true, []), toolOf('nightly', false, ['area:ops'])];
const URIS = ['memory://team/plan', 'memory://secret/word', 'config://mcp.api_key'];
const PROMPTS = ['review', 'plan'];
/** Clients may share a list. */
const GROUPS = [[], ['ops'], ['ops', 'docs']];
const SCOPES = {
  principal: ['principal', 'principal', 'principal == Client::"ada"', 'principal in Group::"ops"'],
  callTool: ['resource', 'resource', 'resource == Tool::"deploy"', 'resource is Tool', 'resource == Tool::"look"'],
  readResource: ['resource', 'resource == Resource::"memory://secret/word"', 'resource is Resource'],
  getPrompt: ['resource', 'resource == Prompt::"plan"'],
};
const CONDITIONS = {
  callTool: [
    'resource.readOnly',
    'resource.destructive',
    'resource.tags.contains("prod")',
    'resource.kind == "workflow"',
    'context.args has amount && context.args.amount > 100',
    'context.args.path like "/etc/*"',
  ],
  readResource: [
    'resource.store == "memory"',
    'resource.uri like "*secret*"',
    'resource.uri == "config://mcp.api_key"',
  ],
  getPrompt: ['resource.name == "review"'],
  any: [
    'context.hour < 8',
    '["saturday", "sunday"].contains(context.weekday)',
    'context.program == "Cursor"',
    'context.era == "2026"',
    'context.fromWorkflow',
    'context.workflow == "nightly"',
    'principal.name == "bob"',
  ],
};
type Action = 'callTool' | 'readResource' | 'getPrompt';
const ACTIONS: readonly Action[] = ['callTool', 'callTool', 'readResource', 'getPrompt'];

function randomPolicy(pick: ReturnType<typeof choicesOf>): string {
  const action = pick(ACTIONS);
  const conditions = pick([0, 1, 1, 2]);
  const bodies = Array.from({ length: conditions }, () => pick([...CONDITIONS[action], ...CONDITIONS.any]));
  const effect = pick(['permit', 'permit', '@require_approval("Sure?") permit', '@require_approval permit', 'forbid']);
  const head = `${effect}(${pick(SCOPES.principal)}, action == Action::"${action}", ${pick(SCOPES[action])})`;
  return `${head} ${bodies.map((body) => `${pick(['when', 'unless'])} { ${body} }`).join(' ')};`;
}

interface Asked {
  request: PolicyRequest;
  clock: WallClock;
}

function randomRequest(pick: ReturnType<typeof choicesOf>): Asked {
  const run = pick([null, null, { id: 'r', workflow: 'nightly' }, { id: 'r', workflow: '' }]);
  const client: Client = {
    name: pick(['ada', 'bob']),
    groups: pick(GROUPS),
    origin: {
      ...UNKNOWN_ORIGIN,
      program: pick([null, 'Cursor', 'VS Code']),
      protocolVersion: pick([null, '2025-11-25', '2026-07-28']),
      run,
    },
  };
  const clock: WallClock = { hour: pick([0, 7, 8, 23]), weekday: pick(['sunday', 'monday']) };
  const args = pick([
    {},
    { amount: 5 },
    { amount: 500 },
    { path: '/etc/passwd' },
    { path: '/tmp', amount: 101 },
    { path: 7 },
  ]);
  switch (pick(ACTIONS)) {
    case 'callTool':
      return { request: { client, action: 'callTool', tool: pick(TOOLS), arguments: args }, clock };
    case 'readResource':
      return { request: { client, action: 'readResource', uri: pick(URIS) }, clock };
    case 'getPrompt':
      return { request: { client, action: 'getPrompt', prompt: pick(PROMPTS) }, clock };
  }
}

function resourceOf(request: PolicyRequest): {
  uid: { type: string; id: string };
  attrs: Record<string, string | boolean | string[]>;
  parents: [];
} {
  switch (request.action) {
    case 'callTool': {
      const { name, kind, tags, annotations = {} } = request.tool;
      const readOnly = annotations.readOnlyHint ?? false;
      const attrs = {
        name,
        kind,
        tags: [...tags],
        readOnly,
        destructive: !readOnly,
        idempotent: false,
        openWorld: true,
      };
      return { uid: { type: 'Tool', id: name }, attrs, parents: [] };
    }
    case 'readResource':
      return {
        uid: { type: 'Resource', id: request.uri },
        attrs: { uri: request.uri, store: request.uri.split(':')[0] ?? '' },
        parents: [],
      };
    case 'getPrompt':
      return { uid: { type: 'Prompt', id: request.prompt }, attrs: { name: request.prompt }, parents: [] };
  }
}

/** Returns Cedar's own decision for the same request. */
function cedarDecides(policies: Record<string, string>, { request, clock }: Asked) {
  const { name, groups, origin = UNKNOWN_ORIGIN } = request.client;
  const version = origin.protocolVersion ?? '';
  const resource = resourceOf(request);
  const answer = isAuthorized({
    principal: { type: 'Client', id: name },
    action: { type: 'Action', id: request.action },
    resource: resource.uid,
    context: {
      ...clock,
      program: origin.program ?? '',
      programVersion: '',
      protocolVersion: version,
      era: version.slice(0, 4),
      fromWorkflow: origin.run !== null && origin.run.workflow !== '',
      workflow: origin.run?.workflow ?? '',
      ...(request.action === 'callTool' ? { args: request.arguments as Record<string, string> } : {}),
    },
    policies: { staticPolicies: policies },
    entities: [
      { uid: { type: 'Client', id: name }, attrs: { name }, parents: groups.map((id) => ({ type: 'Group', id })) },
      resource,
    ],
  });
  if (answer.type === 'failure') throw new Error(JSON.stringify(answer.errors));
  const { decision, diagnostics } = answer.response;
  return {
    allowed: decision === 'allow',
    reasons: diagnostics.reason,
    failed: diagnostics.errors.map(({ policyId }) => policyId),
  };
}

const asks = (text: string): boolean => text.startsWith('@require_approval');
const isGuard = (text: string): boolean => text.startsWith('forbid') || asks(text);

describe('decisions that are remembered', () => {
  it.each(Array.from({ length: 25 }, (_, seed) => seed))('are those of Cedar, in whatever order (seed %d)', (seed) => {
    const pick = choicesOf(500 + seed);
    const texts = Object.fromEntries(
      Array.from({ length: pick([1, 3, 8, 20]) }, (_, index) => [`p${index}`, randomPolicy(pick)]),
    );
    const stored = Object.entries(texts).map(([name, text]) => ({ name, compiled: cedarJson(text), enabled: true }));
    const decisions = new Decisions(policySetOf(stored));
    const asked = Array.from({ length: 40 }, () => randomRequest(pick));
    for (let count = 0; count < 160; count += 1) {
      const one = pick(asked);
      const ours = decisions.decide(one.request, one.clock);
      const cedar = cedarDecides(texts, one);
      const isUnsure = cedar.failed.some((id) => isGuard(texts[id] ?? ''));
      const needsPerson = cedar.allowed && !isUnsure && cedar.reasons.some((id) => asks(texts[id] ?? ''));
      const shown = JSON.stringify({ texts, one }, null, 1);
      expect([shown, ours.allowed]).toEqual([shown, cedar.allowed && !isUnsure]);
      expect([shown, ours.approval !== null]).toEqual([shown, needsPerson]);
      for (const name of ours.policies) expect([...cedar.reasons, ...cedar.failed]).toContain(name);
      // What may be allowed is shown; what is shown to nobody is never allowed.
      if (ours.allowed)
        expect([shown, decisions.mayShow(one.request.client, one.request, one.clock)]).toEqual([shown, true]);
    }
  });

  it.each<[string, Partial<typeof UNKNOWN_ORIGIN>, Partial<typeof UNKNOWN_ORIGIN>]>([
    ['context.program == "a"', { program: 'a' }, { program: 'b' }],
    ['context.programProven', { programProven: true }, { programProven: false }],
    ['context.programVersion == "2"', { programVersion: '2' }, { programVersion: '1' }],
    ['context.era == "2026"', { protocolVersion: '2026-07-28' }, { protocolVersion: '2025-11-25' }],
    ['context.workflow == "b"', { run: { id: 'r', workflow: 'b' } }, { run: { id: 'r', workflow: 'c' } }],
  ])('are not those of a caller that differs only in %s', (condition, one, other) => {
    const compiled = cedarJson(`permit(principal, action, resource) when { ${condition} };`);
    const decisions = new Decisions(policySetOf([{ name: 'p', compiled, enabled: true }]));
    const groups: string[] = [];
    const isAllowed = (origin: Partial<typeof UNKNOWN_ORIGIN>) => {
      const client = { name: 'ada', groups, origin: { ...UNKNOWN_ORIGIN, ...origin } };
      const request = { client, action: 'getPrompt', prompt: 'plan' } as const;
      return decisions.decide(request, { hour: 7, weekday: 'monday' }).allowed;
    };
    expect([one, other, one].map(isAllowed)).toEqual([true, false, true]);
  });

  it('are forgotten when there are too many about prompts', () => {
    const decisions = new Decisions(policySetOf([]));
    const made = jest.spyOn(Slice, 'of');
    const decide = (prompt: string) =>
      decisions.decide(
        { client: { name: 'ada', groups: [] }, action: 'getPrompt', prompt },
        { hour: 7, weekday: 'monday' },
      );
    decide('review');
    decide('review');
    expect(made).toHaveBeenCalledTimes(1);
    for (let number = 0; number < 1_000; number += 1) decide(`prompt-${number}`);
    decide('review');
    expect(made).toHaveBeenCalledTimes(1_002);
    made.mockRestore();
  });
});
