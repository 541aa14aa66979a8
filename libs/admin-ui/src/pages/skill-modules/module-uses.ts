import type { Schemas } from '../../api/client';

/** Describes in sentences what a module uses; empty if nothing. */
export const describeUses = ({ hosts, skills, secrets, databases, state }: Schemas['ModuleUsesView']): string[] => [
  ...hosts.map((host) => `It sends requests to ${host}.`),
  ...skills.map((skill) => `It calls the skill ${skill}, in the name of whoever calls it.`),
  ...secrets.map((secret) => `It sends the secret ${secret} to these hosts, as far as the secret allows it.`),
  ...databases.map((name) => `It reads from the PostgreSQL database whose URL is the secret ${name}.`),
  ...(state ? ['It keeps a value between calls, shared by all its callers.'] : []),
];
