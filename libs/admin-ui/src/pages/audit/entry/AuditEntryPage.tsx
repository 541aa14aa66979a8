import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { JsonBlock } from '../../../components/JsonBlock';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import { useAuditEntry } from '../use-audit';
import { Changes } from './Changes';
import { EntryFacts } from './EntryFacts';

export default function AuditEntryPage() {
  const { seq = '' } = useParams();
  const query = useAuditEntry(Number(seq));
  const entry = query.data;
  return (
    <>
      <TextLink to="/audit">Audit log</TextLink>
      <PageHeader title={`Entry ${seq}`} />
      <Stack>
        <QueryState query={query} height={160} />
        {entry && (
          <>
            <EntryFacts entry={entry} />
            {entry.message !== undefined && (
              <Section title="Message">
                <JsonBlock label="Message" value={entry.message} />
              </Section>
            )}
            {entry.arguments !== undefined && (
              <Section
                title="Arguments"
                about={
                  entry.argumentsCut && 'Secrets were removed, or long values shortened, before the entry was stored.'
                }
              >
                <JsonBlock label="Arguments" value={entry.arguments} />
              </Section>
            )}
            <Changes before={entry.before} after={entry.after} />
          </>
        )}
      </Stack>
    </>
  );
}
