import type { ToolSubject } from './policy-request.js';
import { policyService } from './testing.js';

const POLICIES = [
  'forbid (principal in Group::"robots", action, resource);',
  'forbid (principal, action, resource) when { resource.tags.contains("ops") };',
  'forbid (principal, action, resource) when { context has args && context.args has deep && context.args.deep };',
  'forbid (principal, action, resource == Tool::"deploy") unless { context.hour < 30 };',
  'forbid (principal, action, resource == Tool::"deploy") unless { context.hour > 30 };',
  '@require_approval("Now?") permit (principal, action, resource == Tool::"deploy");',
  '@require_approval("Deep?") permit (principal, action, resource) when { context.args.deep };',
];
const TOOLS = ['deploy', 'search'].flatMap((name) =>
  [[], ['ops']].map((tags): ToolSubject => ({ name, tags, kind: 'code', inputSchema: {} })),
);
const ARGUMENTS = [{}, { deep: true }, { deep: false }, { deep: 'other' }];

describe('the outlook of a client', () => {
  it('holds for every call, whatever its arguments are', async () => {
    const seen = new Set<string>();
    for (let chosen = 0; chosen < 2 ** POLICIES.length; chosen += 1) {
      const some = POLICIES.flatMap((text, index) => (chosen & (2 ** index) ? [[`p${index}`, text] as const] : []));
      const policies = await policyService(Object.fromEntries(some));
      for (const groups of [[], ['robots']]) {
        const client = { name: 'ada', groups };
        for (const tool of TOOLS) {
          const { use } = policies.outlook(client, { action: 'callTool', tool });
          const decisions = ARGUMENTS.map((args) =>
            policies.decide({ client, action: 'callTool', tool, arguments: args }),
          );
          seen.add(use);
          expect(policies.mayShow(client, { action: 'callTool', tool })).toBe(use !== 'refused');
          if (use === 'depends') continue;
          const expected = { allowed: use !== 'refused', asks: use === 'approval' };
          expect(decisions.map(({ allowed, approval }) => ({ allowed, asks: approval !== null }))).toEqual(
            ARGUMENTS.map(() => expected),
          );
        }
      }
    }
    expect(seen).toEqual(new Set(['allowed', 'depends', 'approval', 'refused']));
  });
});
