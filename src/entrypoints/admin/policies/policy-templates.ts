/** A policy to start from. Words in angle brackets are placeholders. */
export interface PolicyTemplate {
  name: string;
  title: string;
  policy: string;
}

export const POLICY_TEMPLATES: readonly PolicyTemplate[] = [
  {
    name: 'read-only',
    title: 'A group may only use tools that change nothing',
    policy: `@advice("This key may only read. Use a key of another group to change something.")
forbid (
  principal in Group::"<group>",
  action == Action::"callTool",
  resource
)
unless { resource.readOnly };`,
  },
  {
    name: 'people-read-robots-write',
    title: 'People who sign in may only read; clients with keys may do more',
    policy: `@advice("People may only read through assistants. Ask the team that runs the automation.")
forbid (
  principal is Person,
  action == Action::"callTool",
  resource
)
unless { resource.readOnly };`,
  },
  {
    name: 'no-destructive-tools',
    title: 'A client may not use tools that overwrite or delete',
    policy: `forbid (
  principal == Client::"<client>",
  action == Action::"callTool",
  resource
)
when { resource.destructive };`,
  },
  {
    name: 'only-these-namespaces',
    title: 'A group may only read these namespaces of the memory',
    policy: `forbid (
  principal in Group::"<group>",
  action == Action::"readResource",
  resource
)
when { resource.store == "memory" }
unless
{
  resource.uri like "memory://<namespace>/*" ||
  resource.uri like "memory://<namespace>/*"
};`,
  },
  {
    name: 'office-hours',
    title: 'A group may use tools only in office hours',
    policy: `@advice("Try again on a working day between 8 and 18 o'clock.")
forbid (
  principal in Group::"<group>",
  action == Action::"callTool",
  resource
)
unless
{
  context.hour >= 8 &&
  context.hour < 18 &&
  !(["saturday", "sunday"].contains(context.weekday))
};`,
  },
  {
    name: 'arguments-within-bounds',
    title: 'A tool may only be called with these values',
    policy: `forbid (
  principal,
  action == Action::"callTool",
  resource == Tool::"memory_save"
)
unless
{
  context.args has namespace &&
  ["<namespace>", "<namespace>"].contains(context.args.namespace)
};`,
  },
  {
    name: 'workflows-of-a-group',
    title: 'Only one group may run these workflows',
    policy: `forbid (
  principal,
  action == Action::"callTool",
  resource
)
when { resource.kind == "workflow" && resource.tags.contains("<tag>") }
unless { principal in Group::"<group>" };`,
  },
  {
    name: 'skill-package-of-a-group',
    title: 'Only one group gets this skill package',
    policy: `forbid (
  principal,
  action in [Action::"readResource", Action::"getPrompt"],
  resource
)
when
{
  (resource has uri && resource.uri like "skill://<skill package>/*") ||
  resource == Prompt::"<skill package>"
}
unless { principal in Group::"<group>" };`,
  },
  {
    name: 'ask-first',
    title: 'A person must confirm each call of a tool',
    policy: `@require_approval("<what the person is asked>")
permit (
  principal,
  action == Action::"callTool",
  resource == Tool::"<tool>"
);`,
  },
];
