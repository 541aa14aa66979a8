import { Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Ago } from '../../components/Moment';
import { OnlyFor } from '../../components/OnlyFor';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { TextLink } from '../../components/TextLink';
import { AddSample } from './AddSample';
import { ModuleProblems } from './ModuleProblems';
import { ModuleState } from './ModuleState';
import { ModuleSwitch } from './ModuleSwitch';
import { type RefusedFile, UploadModules } from './UploadModules';
import { type ModuleItem, useModules } from './use-modules';

const COLUMNS: readonly Column<ModuleItem>[] = [
  {
    title: 'Module',
    render: ({ name, skillNames }) => (
      <div>
        <TextLink to={`/skill-modules/${name}`}>{name}</TextLink>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {skillNames.join(', ')}
        </Text>
      </div>
    ),
  },
  { title: 'State', render: (item) => <ModuleState item={item} /> },
  { title: 'Source', render: ({ source }) => (source === 'folder' ? 'SKILLS_DIR' : 'Upload') },
  {
    title: 'Changed',
    render: ({ updatedAt, updatedBy }) => (
      <span>
        <Ago at={updatedAt} />
        {updatedBy !== null && ` by ${updatedBy}`}
      </span>
    ),
  },
  { title: 'Enabled', render: (item) => <ModuleSwitch item={item} /> },
];

export default function ModulesPage() {
  const query = useModules();
  const { data } = query;
  const [refused, setRefused] = useState<RefusedFile | null>(null);
  return (
    <>
      <PageHeader
        title="Skill modules"
        about="Files or folders with code, in TypeScript or JavaScript: each of their skills is a tool. They run apart from the service."
        actions={
          <OnlyFor role="admin">
            <Group>
              <AddSample />
              <UploadModules onRefused={setRefused} />
            </Group>
          </OnlyFor>
        }
      />
      <Stack>
        <QueryState query={query} />
        {refused && (
          <Section title={`${refused.file} was not taken`} about="Correct it, and upload it again.">
            <ModuleProblems problems={refused.problems} />
          </Section>
        )}
        {data?.brokenFiles.map(({ file, problems }) => (
          <Section
            key={file}
            title={file}
            about="A file in SKILLS_DIR. With mistakes, it is not taken: an earlier version stays as it is."
          >
            <ModuleProblems problems={problems} />
          </Section>
        ))}
        {data && (
          <Paper withBorder p="md">
            {data.items.length > 0 ? (
              <DataTable label="Skill modules" columns={COLUMNS} rows={data.items} keyOf={({ name }) => name} />
            ) : (
              <EmptyState title="No skill modules">
                Put a file such as weather.ts, or a folder with index.ts, into SKILLS_DIR, upload one, or add one that
                comes with the service. npm run skill:new writes an example.
              </EmptyState>
            )}
          </Paper>
        )}
      </Stack>
    </>
  );
}
