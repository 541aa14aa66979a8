import { Group, Stack } from '@mantine/core';
import { EmptyState } from '../../../components/EmptyState';
import { FilterChoice, useParam } from '../../../components/FilterChoice';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { SearchField } from '../../../components/SearchField';
import { useSearch } from '../../../components/use-search';
import { CheckWarnings } from '../CheckWarnings';
import { SOURCES, STATES } from '../skill-sources';
import { useSkills } from '../use-skills';
import { SkillCard } from './SkillCard';

const ANY_SOURCE = [
  { value: '', label: 'Any source' },
  ...Object.entries(SOURCES).map(([value, label]) => ({ value, label })),
];
const ANY_STATE = [
  { value: '', label: 'Any state' },
  ...Object.entries(STATES).map(([value, { text }]) => ({ value, label: text })),
];

export default function SkillsPage() {
  const { field, settledSearch } = useSearch();
  const [source] = useParam('source');
  const [state] = useParam('state');
  const skills = useSkills({ q: settledSearch, source, state });
  const items = skills.data?.items;
  return (
    <>
      <PageHeader
        title="Skills"
        about="Everything the service can do: built in, or added by a module, a package or a workflow."
      />
      <Stack>
        <SearchField label="Search skills" placeholder="Part of a name, a title or a description" {...field} />
        <Group align="end" gap="sm">
          <FilterChoice label="Source" name="source" options={ANY_SOURCE} />
          <FilterChoice label="State" name="state" options={ANY_STATE} />
        </Group>
        <QueryState query={skills} height={96} />
        <CheckWarnings warnings={skills.data?.first?.warnings ?? []} />
        {items?.map((skill) => (
          <SkillCard key={`${skill.source} ${skill.owner ?? ''} ${skill.name}`} skill={skill} />
        ))}
        {items?.length === 0 && (
          <EmptyState title="No skill found">
            {settledSearch || source || state
              ? 'Try a shorter search, or any source and state.'
              : 'Skills that are added to the service appear here.'}
          </EmptyState>
        )}
      </Stack>
      <LoadMore pages={skills} />
    </>
  );
}
