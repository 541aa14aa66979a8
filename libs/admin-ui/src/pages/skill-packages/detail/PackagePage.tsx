import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { DeleteButton } from '../../../components/DeleteButton';
import { LinkButton } from '../../../components/LinkButton';
import { MarkdownView } from '../../../components/MarkdownView';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import type { RefusedFile } from '../../../components/UploadButton';
import { DownloadPackage } from '../DownloadPackage';
import { PackageProblems } from '../PackageProblems';
import { UploadPackages } from '../UploadPackages';
import { type FullPackage, usePackage, useRemovePackage } from '../use-packages';
import { PackageFacts } from './PackageFacts';
import { PackageFiles } from './PackageFiles';
import { PackageVersions } from './PackageVersions';

export default function PackagePage() {
  const { name = '' } = useParams();
  const query = usePackage(name);
  const one = query.data;
  const [refused, setRefused] = useState<RefusedFile | null>(null);
  return (
    <>
      <TextLink to="/skill-packages">All skill packages</TextLink>
      <PageHeader title={name} about={one?.description} actions={one && <Actions one={one} onRefused={setRefused} />} />
      <Stack>
        <QueryState query={query} height={160} />
        {refused && <PackageProblems problems={refused.problems} />}
        {one && (
          <>
            <PackageProblems problems={one.problems} />
            <PackageFacts one={one} />
            <Section title="Instructions">
              <MarkdownView label={`Instructions of ${name}`} text={one.instructions} />
            </Section>
            <PackageFiles one={one} />
            <PackageVersions key={name} one={one} />
          </>
        )}
      </Stack>
    </>
  );
}

function Actions({ one, onRefused }: { one: FullPackage; onRefused: (refused: RefusedFile | null) => void }) {
  const { name, source, isInFolder } = one;
  const remove = useRemovePackage(name);
  return (
    <Group gap="xs">
      <LinkButton to={`/audit?q=${encodeURIComponent(name)}`}>Who uses it</LinkButton>
      <DownloadPackage one={one} />
      {!isInFolder && (
        <OnlyFor role="editor">
          {source === 'upload' && (
            <>
              <LinkButton to={`/skill-packages/${encodeURIComponent(name)}/edit`}>Edit</LinkButton>
              <UploadPackages onRefused={onRefused} />
            </>
          )}
          <DeleteButton
            deletion={remove}
            title={`Remove ${name}?`}
            text="Clients no longer get it. It can be restored with its versions for 30 days."
            confirm="Remove package"
            done={`${name} is removed.`}
            to="/skill-packages"
          >
            Remove
          </DeleteButton>
        </OnlyFor>
      )}
    </Group>
  );
}
