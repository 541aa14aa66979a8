import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Caller } from '../../../components/Caller';
import { callerName } from '../../../components/caller-name';
import { type Columns, DataTable } from '../../../components/DataTable';
import { Ago } from '../../../components/Moment';
import { showOutcome } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { QueryState } from '../../../components/QueryState';
import { RowToggle } from '../../../components/RowButton';
import { Section } from '../../../components/Section';
import { FileDifferences } from '../FileDifferences';
import { PackageProblems } from '../PackageProblems';
import { api, type Schemas, useChange, useRead } from '../../../api/client';
import { CHANGED, PACKAGES_KEY } from '../use-packages';

/** Lists proposals of assistants, shows the changes of one, and accepts or refuses it. */
export function ProposedPackages() {
  const { data } = usePackageProposals();
  const [shown, show] = useState<number | null>(null);
  if (!data || data.items.length === 0) return null;
  const one = data.items.find(({ id }) => id === shown);
  const columns: Columns<PackageProposal> = {
    Package: ({ name, description }) => (
      <div>
        {name}
        <Text size="sm" c="dimmed" lineClamp={2}>
          {description}
        </Text>
      </div>
    ),
    'Proposed by': ({ author }) => <Caller name={author} />,
    Proposed: ({ proposedAt }) => <Ago at={proposedAt} />,
    'What to do': ({ id, name, author }) => (
      <RowToggle label={`Look at ${name} of ${callerName(author)}`} value={id} chosen={shown} onChoose={show}>
        Look at it
      </RowToggle>
    ),
  };
  return (
    <Section
      title="Proposed by assistants"
      about="Clients get a proposal only after you accept it. Proposals are kept for 30 days."
    >
      <Stack gap="sm">
        <DataTable label="Proposed packages" columns={columns} rows={data.items} keyOf={({ id }) => String(id)} />
        {one && <Decision key={one.id} one={one} />}
      </Stack>
    </Section>
  );
}

function Decision({ one: { id, name, author } }: { one: PackageProposal }) {
  const query = usePackageProposal(id);
  const { data } = query;
  const accept = useAcceptProposal(id);
  const refuse = useRefuseProposal(id);
  if (!data) return <QueryState query={query} height={120} count={1} />;
  const { version, digest, files, problems } = data;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {version === null ? `${name} would be a new package:` : `What changes from version ${version} of ${name}:`}
      </Text>
      <PackageProblems problems={problems} />
      <FileDifferences files={files} />
      <OnlyFor role="editor">
        <Group gap="xs">
          <Button
            loading={accept.isPending}
            disabled={digest === null}
            onClick={() =>
              showOutcome(accept.mutateAsync(digest ?? ''), ({ version }) => `${name} is saved as version ${version}.`)
            }
          >
            Accept
          </Button>
          <Button
            variant="default"
            loading={refuse.isPending}
            onClick={() => showOutcome(refuse.mutateAsync(), `${name} of ${callerName(author)} is refused.`)}
          >
            Refuse
          </Button>
        </Group>
      </OnlyFor>
    </Stack>
  );
}

type PackageProposal = Schemas['PackageProposalView'];

const POLL_EVERY_MS = 5_000;

const usePackageProposals = () =>
  useRead([...PACKAGES_KEY, 'proposals'], () => api.GET('/admin/api/skill-package-proposals'), {
    refetchInterval: POLL_EVERY_MS,
  });

const usePackageProposal = (id: number) =>
  useRead([...PACKAGES_KEY, 'proposal', id], () =>
    api.GET('/admin/api/skill-package-proposals/{id}', { params: { path: { id } } }),
  );

const useAcceptProposal = (id: number) =>
  useChange(CHANGED, (digest: string) =>
    api.POST('/admin/api/skill-package-proposals/{id}/accept', { params: { path: { id } }, body: { digest } }),
  );

const useRefuseProposal = (id: number) =>
  useChange([PACKAGES_KEY], () => api.DELETE('/admin/api/skill-package-proposals/{id}', { params: { path: { id } } }));
