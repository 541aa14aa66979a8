import type { Json } from '../../../mcp/json-rpc';
import type { PolicyDraft, PolicyTest } from '../use-policies';

/** The values of the form for a trial, besides the arguments; '' = omitted. */
export interface TrialFields {
  client: string;
  groups: string[];
  action: PolicyTest['action'];
  resource: string;
  program: string;
  protocolVersion: string;
  hour: number | '';
  weekday: PolicyTest['weekday'] | '';
  workflow: string;
}

export const FIRST_TRIAL: TrialFields = {
  client: 'default',
  groups: [],
  action: 'callTool',
  resource: '',
  program: '',
  protocolVersion: '',
  hour: '',
  weekday: '',
  workflow: '',
};

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies readonly PolicyTest['weekday'][];

/** Returns the request to the service. Only calls of tools have arguments. */
export function toTest(fields: TrialFields, args: Json, draft: PolicyDraft | undefined): PolicyTest {
  const { client, groups, action, resource, program, protocolVersion, hour, weekday, workflow } = fields;
  return {
    client: client.trim(),
    action,
    resource: resource.trim(),
    ...(groups.length > 0 && { groups }),
    ...(action === 'callTool' && { arguments: args }),
    ...(program.trim() !== '' && { program: program.trim() }),
    ...(protocolVersion !== '' && { protocolVersion }),
    ...(hour !== '' && { hour }),
    ...(weekday !== '' && { weekday }),
    ...(workflow.trim() !== '' && { workflow: workflow.trim() }),
    ...(draft && { draft }),
  };
}
