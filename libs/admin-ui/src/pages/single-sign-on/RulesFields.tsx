import { Button, Group, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { ROLE_OPTIONS } from '../administrators/role-options';
import { onFirstClick } from '../../components/first-click';
import { useGroups } from '../clients/use-clients';
import type { GroupRule } from './use-providers';

interface RulesFieldsProps {
  rules: readonly GroupRule[];
  /** Returns the problem of a field, such as `rules.0.group`. */
  errorOf: (field: string) => string | undefined;
  onChange: (rules: GroupRule[]) => void;
}

const NO_ROLE = { value: '', label: 'No role' };

/** Fields for the role and groups that a group of the provider gives. */
export function RulesFields({ rules, errorOf, onChange }: RulesFieldsProps) {
  const { data: known = [] } = useGroups();
  const change = (index: number, changed: Partial<GroupRule>) =>
    onChange(rules.map((rule, at) => (at === index ? { ...rule, ...changed } : rule)));
  return (
    <>
      {rules.map(({ group, role, groups }, index) => (
        <Group key={index} align="end">
          <TextInput
            label={`Group at the provider, ${index + 1}`}
            autoComplete="off"
            w={{ base: '100%', xs: 220 }}
            value={group}
            error={errorOf(`rules.${index}.group`)}
            onChange={(event) => change(index, { group: event.currentTarget.value })}
          />
          <NativeSelect
            label={`Role, ${index + 1}`}
            w={{ base: '100%', xs: 260 }}
            data={[NO_ROLE, ...ROLE_OPTIONS]}
            value={role ?? ''}
            error={errorOf(`rules.${index}.role`)}
            onChange={(event) => change(index, { role: (event.currentTarget.value || null) as GroupRule['role'] })}
          />
          <TagsInput
            label={`Groups for policies, ${index + 1}`}
            data={known}
            maxTags={32}
            w={{ base: '100%', xs: 260 }}
            value={groups}
            error={errorOf(`rules.${index}.groups`)}
            onChange={(chosen) => change(index, { groups: chosen.map((one) => one.trim()) })}
          />
          <Button
            variant="default"
            aria-label={`Remove rule ${index + 1}`}
            onClick={onFirstClick(() => onChange(rules.filter((_, at) => at !== index)))}
          >
            Remove
          </Button>
        </Group>
      ))}
      <Button variant="default" onClick={() => onChange([...rules, { group: '', role: null, groups: [] }])}>
        Add a rule
      </Button>
    </>
  );
}
