import { Stack } from '@mantine/core';
import { useMay } from '../../api/session';
import { EmptyState } from '../../components/EmptyState';
import { showError } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { EnterProgramForm } from './EnterProgramForm';
import { GrantsTable } from './GrantsTable';
import { ProgramsTable } from './ProgramsTable';
import { useEndGrant, useGrants, usePrograms } from './use-programs';

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
  const query = useGrants();
  const grants = query.data;
  const end = useEndGrant();
  const mayEnd = useMay('admin');
  return (
    <Section title="Allowed" about="Which programs act for whom. Revoke those that should not.">
      <QueryState query={query} />
      {grants?.length === 0 && <EmptyState title="Nobody has signed in yet">People connect to /mcp/oauth.</EmptyState>}
      {grants && grants.length > 0 && (
        <GrantsTable
          grants={grants}
          showsPeople
          mayEnd={mayEnd}
          isEnding={end.isPending}
          onEnd={(id) => end.mutate(id, { onError: showError })}
        />
      )}
    </Section>
  );
}

function AllPrograms() {
  const query = usePrograms();
  const programs = query.data;
  return (
    <Section
      title="Registered"
      about="Programs that have registered themselves, and those that you have entered. Programs with a metadata document of their own, such as Claude, need no registration."
    >
      <QueryState query={query} />
      {programs?.length === 0 && <EmptyState title="No programs yet">They register when people connect.</EmptyState>}
      {programs && programs.length > 0 && <ProgramsTable programs={programs} />}
    </Section>
  );
}
