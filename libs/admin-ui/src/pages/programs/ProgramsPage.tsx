import { Badge, Stack, Text } from '@mantine/core';
import { useMay } from '../../api/session';
import { confirm } from '../../components/confirm';
import { type Columns, DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { LoadMore } from '../../components/LoadMore';
import { Ago } from '../../components/Moment';
import { showOutcome } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { RowButton } from '../../components/RowButton';
import { SearchField } from '../../components/SearchField';
import { Section } from '../../components/Section';
import { useSearch } from '../../components/use-search';
import { EnterProgramForm } from './EnterProgramForm';
import { GrantsTable } from './GrantsTable';
import { type Program, useEndGrant, useGrants, usePrograms, useRemoveProgram } from './use-programs';

const COLUMNS: Columns<Program> = {
  Program: ({ name, id, isListed }) => (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">
        {name || id} {isListed && <Badge color="indigo">by administrators</Badge>}
      </Text>
      <Text size="xs" ff="monospace" c="dimmed">
        {id}
      </Text>
    </div>
  ),
  'Redirects to': ({ redirectUris }) => (
    <div style={{ overflowWrap: 'anywhere' }}>
      {redirectUris.map((uri) => (
        <Text size="sm" key={uri}>
          {uri}
        </Text>
      ))}
    </div>
  ),
  Since: ({ createdAt }) => <Ago at={createdAt} />,
  'Last allowed': ({ usedAt }) => (usedAt ? <Ago at={usedAt} /> : 'not yet'),
  Actions: (program) => (
    <OnlyFor role="admin">
      <RemoveButton program={program} />
    </OnlyFor>
  ),
};

export default function ProgramsPage() {
  return (
    <>
      <PageHeader
        title="Programs"
        about="The programs that people sign in with, instead of a key. oauth.enabled under Config switches it on."
      />
      <Stack>
        <AllGrants />
        <AllPrograms />
        <OnlyFor role="admin">
          <EnterProgramForm />
        </OnlyFor>
      </Stack>
    </>
  );
}

function AllGrants() {
  const { field, settledSearch } = useSearch('allowed');
  const query = useGrants(settledSearch);
  const grants = query.data?.items;
  const end = useEndGrant();
  const mayEnd = useMay('admin');
  return (
    <Section title="Grants" about="Which programs act for whom. Revoke those that no longer should.">
      <Stack>
        <SearchField label="Search grants" placeholder="Part of a program, a person or a host" {...field} />
        <QueryState query={query} />
        {grants && grants.length > 0 && <GrantsTable grants={grants} showsPeople mayEnd={mayEnd} end={end} />}
        {grants?.length === 0 && (
          <EmptyState title={settledSearch ? 'No grant found' : 'Nobody has signed in yet'}>
            {settledSearch ? 'Try a shorter search.' : 'People connect to /mcp/oauth.'}
          </EmptyState>
        )}
        <LoadMore pages={query} />
      </Stack>
    </Section>
  );
}

function AllPrograms() {
  const { field, settledSearch } = useSearch();
  const query = usePrograms(settledSearch);
  const programs = query.data?.items;
  return (
    <Section
      title="Registered"
      about="Programs that registered themselves, or that you registered. Programs with a metadata document of their own, such as Claude, need no registration."
    >
      <Stack>
        <SearchField label="Search programs" placeholder="Part of a name, a client_id or an address" {...field} />
        <QueryState query={query} />
        {programs && programs.length > 0 && (
          <DataTable label="Registered programs" columns={COLUMNS} rows={programs} keyOf={({ id }) => id} />
        )}
        {programs?.length === 0 && (
          <EmptyState title={settledSearch ? 'No program found' : 'No programs yet'}>
            {settledSearch ? 'Try a shorter search.' : 'They register when people connect.'}
          </EmptyState>
        )}
        <LoadMore pages={query} />
      </Stack>
    </Section>
  );
}

function RemoveButton({ program: { id, name } }: { program: Program }) {
  const remove = useRemoveProgram();
  const shown = name || id;
  const ask = () =>
    confirm({
      title: `Remove ${shown}?`,
      text: 'All access that people have granted it ends. It may register again, unless oauth.programs is listed.',
      confirm: 'Remove program',
      onConfirm: () => showOutcome(remove.mutateAsync(id), `${shown} is removed.`),
    });
  return (
    <RowButton of={shown} isBusy={remove.isPending} onClick={ask}>
      Remove
    </RowButton>
  );
}
