import { Stack } from '@mantine/core';
import { EmptyState } from '../../../components/EmptyState';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
import { useSearch } from '../../../components/use-search';
import { CheckWarnings } from '../CheckWarnings';
import { useSkills } from '../use-skills';
import { SkillCard } from './SkillCard';

export default function SkillsPage() {
  const { search, setSearch, settledSearch } = useSearch();
  const skills = useSkills(settledSearch);
  const items = skills.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <PageHeader title="Skills" about="What clients can call. A disabled skill is invisible to them." />
      <Stack>
        <SearchField
          label="Search skills"
          placeholder="Part of a name, a title or a description"
          value={search}
          onChange={setSearch}
        />
        {skills.error && <ErrorNotice error={skills.error} onRetry={() => void skills.refetch()} />}
        {skills.isPending && <LoadingLines height={96} />}
        <CheckWarnings warnings={skills.data?.pages[0]?.warnings ?? []} />
        {items?.map((skill) => (
          <SkillCard key={skill.name} skill={skill} />
        ))}
        {items?.length === 0 && (
          <EmptyState title="No skill found">
            {settledSearch ? 'Try a shorter search.' : 'Skills that are added to the service appear here.'}
          </EmptyState>
        )}
      </Stack>
      <LoadMore pages={skills} />
    </>
  );
}
