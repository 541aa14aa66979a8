import type { TestService } from '../support/service.js';

const POLICIES: readonly { name: string; policy: string; enabled?: boolean }[] = [
  {
    name: 'robots-read-only',
    policy: `@description("The pipelines may look things up, but change nothing.")
@advice("This key may only read. Ask on the channel of the team if the pipeline has to write.")
forbid (
  principal in Group::"robots",
  action == Action::"callTool",
  resource
)
unless { resource.readOnly };`,
  },
  {
    name: 'memory-of-the-team',
    policy: `forbid (
  principal in Group::"developers",
  action == Action::"callTool",
  resource == Tool::"memory_save"
)
unless
{
  context.args has namespace &&
  ["team", "web"].contains(context.args.namespace)
};`,
  },
  {
    name: 'confirm-cancelling',
    policy: `@description("Runs are cancelled only when somebody agrees.")
@require_approval("May this run be cancelled?")
permit (
  principal,
  action == Action::"callTool",
  resource == Tool::"run_cancel"
);`,
  },
  {
    name: 'office-hours-of-the-agency',
    enabled: false,
    policy: `forbid (
  principal == Client::"trial",
  action,
  resource
)
unless { context.hour >= 8 && context.hour < 18 };`,
  },
];

/** Creates policies for the clients of the sample team. */
export async function decideAsATeamWould(service: TestService): Promise<void> {
  for (const policy of POLICIES) {
    const { status, body } = await service.admin('POST', 'policies', policy);
    if (status !== 201) throw new Error(`the policy ${policy.name} was not saved: ${JSON.stringify(body)}`);
  }
}
