import { Autocomplete, NativeSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useClients, useGroups } from '../../clients/use-clients';
import { type TrialFields, WEEKDAYS } from './trial-request';

interface TrialFieldControlsProps {
  fields: TrialFields;
  /** Names for completion. */
  toolNames: readonly string[];
  onChange: (changed: Partial<TrialFields>) => void;
}

const LONGEST_NAME = 200;
const LONGEST_URI = 4_096;
const MOST_GROUPS = 32;
const ACTIONS: { value: TrialFields['action']; label: string }[] = [
  { value: 'callTool', label: 'Calls a tool' },
  { value: 'readResource', label: 'Reads a resource' },
  { value: 'getPrompt', label: 'Gets a prompt' },
];
const SUBJECTS: Record<TrialFields['action'], string> = {
  callTool: 'Tool',
  readResource: 'URI of the resource',
  getPrompt: 'Prompt',
};
/** The supported versions, newest first. */
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const HOURS = [
  { value: '', label: 'Now' },
  ...Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}:00` })),
];
const DAYS = [{ value: '', label: 'Today' }, ...WEEKDAYS.map((day) => ({ value: day, label: capitalized(day) }))];

/** Fields for who does what, when and from where. */
export function TrialFieldControls({ fields, toolNames, onChange }: TrialFieldControlsProps) {
  const { client, groups, action, resource, program, protocolVersion, hour, weekday, workflow } = fields;
  const { data: clients = [] } = useClients();
  const { data: knownGroups = [] } = useGroups();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Autocomplete
        label="Client"
        data={clients.map(({ name }) => name)}
        maxLength={LONGEST_NAME}
        value={client}
        onChange={(next) => onChange({ client: next })}
      />
      <TagsInput
        label="Groups"
        placeholder={groups.length === 0 ? 'Those of the client' : undefined}
        data={knownGroups}
        maxTags={MOST_GROUPS}
        acceptValueOnBlur
        value={groups}
        onChange={(next) => onChange({ groups: next })}
      />
      <NativeSelect
        label="Action"
        data={ACTIONS}
        value={action}
        onChange={(event) => {
          const chosen = ACTIONS.find(({ value }) => value === event.currentTarget.value);
          onChange({ action: chosen?.value ?? action, resource: '' });
        }}
      />
      <Autocomplete
        key={action}
        label={SUBJECTS[action]}
        data={action === 'callTool' ? [...toolNames] : []}
        maxLength={LONGEST_URI}
        value={resource}
        onChange={(next) => onChange({ resource: next })}
      />
      <NativeSelect
        label="Hour"
        data={HOURS}
        value={String(hour)}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          onChange({ hour: chosen === '' ? '' : Number(chosen) });
        }}
      />
      <NativeSelect
        label="Day of the week"
        data={DAYS}
        value={weekday}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          onChange({ weekday: WEEKDAYS.find((day) => day === chosen) ?? '' });
        }}
      />
      <TextInput
        label="Program"
        placeholder="Unknown"
        maxLength={LONGEST_NAME}
        value={program}
        onChange={(event) => onChange({ program: event.currentTarget.value })}
      />
      <NativeSelect
        label="Protocol version"
        data={[{ value: '', label: 'Unknown' }, ...PROTOCOL_VERSIONS]}
        value={protocolVersion}
        onChange={(event) => onChange({ protocolVersion: event.currentTarget.value })}
      />
      <TextInput
        label="Workflow"
        placeholder="Not in one"
        maxLength={LONGEST_NAME}
        value={workflow}
        onChange={(event) => onChange({ workflow: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
