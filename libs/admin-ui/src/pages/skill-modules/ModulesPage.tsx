import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Columns, TablePanel } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Changed } from '../../components/Moment';
import { OnlyFor } from '../../components/OnlyFor';
import { PageHeader } from '../../components/PageHeader';
import { Section } from '../../components/Section';
import { TextLink } from '../../components/TextLink';
import type { RefusedFile } from '../../components/UploadButton';
import { AddSample } from './AddSample';
import { ModuleProblems } from './ModuleProblems';
import { ModuleState } from './ModuleState';
import { ModuleSwitch } from './ModuleSwitch';
import { UploadModules } from './UploadModules';
import { type ModuleItem, useModules } from './use-modules';

const COLUMNS: Columns<ModuleItem> = {
  Module: ({ name, skillNames }) => (
    <div>
      <TextLink to={`/skill-modules/${name}`}>{name}</TextLink>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {skillNames.join(', ')}
      </Text>
    </div>
  ),
  State: (item) => <ModuleState item={item} />,
  Source: ({ source }) => (source === 'folder' ? 'SKILLS_DIR' : 'Upload'),
  Changed: ({ updatedAt, updatedBy }) => <Changed at={updatedAt} by={updatedBy} />,
  Enabled: (item) => <ModuleSwitch item={item} />,
};

export default function ModulesPage() {
  const query = useModules();
  const { data } = query;
  const [refused, setRefused] = useState<RefusedFile | null>(null);
  return (
    <>
      <PageHeader
        title="Skill modules"
        about="Files or folders with code, in TypeScript or JavaScript: each of their skills is a tool. They run in a separate process."
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
        {refused && (
          <Section title={`${refused.file} was not accepted`} about="Correct it, and upload it again.">
            <ModuleProblems problems={refused.problems.map(({ message }) => message)} />
          </Section>
        )}
        {data?.brokenFiles.map(({ file, problems }) => (
          <Section
            key={file}
            title={file}
            about="A file in SKILLS_DIR. It is not loaded until its errors are fixed: an earlier version stays in use."
          >
            <ModuleProblems problems={problems} />
          </Section>
        ))}
        <TablePanel
          label="Skill modules"
          query={query}
          columns={COLUMNS}
          rows={data?.items}
          keyOf={({ name }) => name}
          empty={
            <EmptyState title="No skill modules">
              Put a file such as weather.ts, or a folder with index.ts, into SKILLS_DIR, upload one, or add one that
              comes with the service. npm run skill:new writes an example.
            </EmptyState>
          }
        />
      </Stack>
    </>
  );
}
