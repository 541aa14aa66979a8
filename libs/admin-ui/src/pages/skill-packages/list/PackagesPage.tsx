import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Columns, TablePanel } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { LinkButton } from '../../../components/LinkButton';
import { Changed } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
import { Section } from '../../../components/Section';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import type { RefusedFile } from '../../../components/UploadButton';
import { useFoundRows } from '../../../components/use-found-rows';
import { formatBytes, formatNumber } from '../../../text/format';
import { PackageProblems } from '../PackageProblems';
import { PackageSwitch } from '../PackageSwitch';
import { UploadPackages } from '../UploadPackages';
import { type PackageItem, usePackages } from '../use-packages';
import { ProposedPackages } from './ProposedPackages';
import { RemovedPackages } from './RemovedPackages';

const COLUMNS: Columns<PackageItem> = {
  Package: ({ name, description, tags }) => (
    <div>
      <TextLink to={`/skill-packages/${name}`}>{name}</TextLink>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {description}
      </Text>
      <Tags tags={tags} />
    </div>
  ),
  Source: ({ source }) => (source === 'folder' ? 'SKILLS_DIR' : 'Upload'),
  Files: ({ files, bytes }) => (
    <Group gap={4}>
      {formatNumber(files)}
      <Text size="sm" c="dimmed">
        {formatBytes(bytes)}
      </Text>
    </Group>
  ),
  Changed: ({ updatedAt, updatedBy }) => <Changed at={updatedAt} by={updatedBy} />,
  Enabled: (item) => <PackageSwitch item={item} />,
};

const textsOf = ({ name, description, tags }: PackageItem) => [name, description, ...tags];

const NOT_LOADED =
  'A folder in SKILLS_DIR. It is not loaded until its errors are fixed: an earlier version stays in use.';
const LOADED = 'A folder in SKILLS_DIR. It is loaded in spite of its warnings.';

const isError = ({ severity }: { severity: string }): boolean => severity === 'error';

export default function PackagesPage() {
  const query = usePackages();
  const { data } = query;
  const { field, settledSearch, found, pages } = useFoundRows(data?.items, textsOf);
  const [refused, setRefused] = useState<RefusedFile | null>(null);
  return (
    <>
      <PageHeader
        title="Skill packages"
        about="The team's instructions for kinds of tasks, with their files. Each is a prompt, and assistants find and read them."
        actions={
          <OnlyFor role="editor">
            <Group gap="xs">
              <UploadPackages onRefused={setRefused} />
              <LinkButton to="/skill-packages/new" variant="filled">
                New package
              </LinkButton>
            </Group>
          </OnlyFor>
        }
      />
      <Stack>
        {refused && (
          <Section title={`${refused.file} was not accepted`} about="Correct it, and upload it again.">
            <PackageProblems problems={refused.problems} />
          </Section>
        )}
        <ProposedPackages />
        {data?.brokenFolders.map(({ place, problems }) => (
          <Section key={place} title={place} about={problems.some(isError) ? NOT_LOADED : LOADED}>
            <PackageProblems problems={problems} />
          </Section>
        ))}
        <SearchField label="Search skill packages" placeholder="Part of a name, a description or a tag" {...field} />
        <TablePanel
          label="Skill packages"
          query={query}
          columns={COLUMNS}
          rows={found}
          keyOf={({ name }) => name}
          pages={pages}
          empty={
            settledSearch === '' ? (
              <EmptyState title="No skill packages">
                Write one here, put a folder with a SKILL.md into SKILLS_DIR, or upload one as .zip, .skill or .md.
              </EmptyState>
            ) : (
              <EmptyState title="No skill package found">Try a shorter search.</EmptyState>
            )
          }
        />
        {data && data.removed.length > 0 && <RemovedPackages removed={data.removed} />}
      </Stack>
    </>
  );
}
