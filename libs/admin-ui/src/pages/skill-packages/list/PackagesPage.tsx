import { Button, Group, Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../../../components/EmptyState';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { PackageProblems } from '../PackageProblems';
import { type RefusedUpload, UploadButton } from '../UploadButton';
import { usePackages } from '../use-packages';
import { PackagesTable } from './PackagesTable';
import { ProposedPackages } from './ProposedPackages';
import { RemovedPackages } from './RemovedPackages';

export default function PackagesPage() {
  const query = usePackages();
  const { data } = query;
  const [refused, setRefused] = useState<RefusedUpload | null>(null);
  return (
    <>
      <PageHeader
        title="Skill packages"
        about="Instructions of the team for kinds of tasks, with their files: each is a prompt, and assistants find and read them."
        actions={
          <OnlyFor role="editor">
            <Group gap="xs">
              <UploadButton onRefused={setRefused} />
              <Button component={Link} to="/skill-packages/new">
                New package
              </Button>
            </Group>
          </OnlyFor>
        }
      />
      <Stack>
        <QueryState query={query} />
        {refused && (
          <Section title={`${refused.file} was not taken`} about="Correct it, and upload it again.">
            <PackageProblems problems={refused.problems} />
          </Section>
        )}
        <ProposedPackages />
        {data?.brokenFolders.map(({ place, problems }) => (
          <Section
            key={place}
            title={place}
            about="A folder in SKILLS_DIR. With errors, it is not taken: an earlier version stays as it is."
          >
            <PackageProblems problems={problems} />
          </Section>
        ))}
        {data && (
          <Paper withBorder p="md">
            {data.items.length > 0 ? (
              <PackagesTable items={data.items} />
            ) : (
              <EmptyState title="No skill packages">
                Write one here, put a folder with a SKILL.md into SKILLS_DIR, or upload one as .zip, .skill or .md.
              </EmptyState>
            )}
          </Paper>
        )}
        {data && data.removed.length > 0 && <RemovedPackages removed={data.removed} />}
      </Stack>
    </>
  );
}
