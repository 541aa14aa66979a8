import { Text } from '@mantine/core';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { GrantsTable } from '../programs/GrantsTable';
import { useEndOwnGrant, useOwnGrants } from '../programs/use-programs';

/** The programs that may act for the person. */
export function OwnPrograms() {
  const query = useOwnGrants();
  const grants = query.data;
  const end = useEndOwnGrant();
  return (
    <Section title="Programs" about="The programs that may act for you. Revoke those that you do not use or know.">
      <QueryState query={query} />
      {grants?.length === 0 && <Text size="sm">You have not signed in with any program.</Text>}
      {grants && grants.length > 0 && <GrantsTable grants={grants} mayEnd end={end} />}
    </Section>
  );
}
