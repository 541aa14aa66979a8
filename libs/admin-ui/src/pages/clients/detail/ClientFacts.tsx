import { Facts } from '../../../components/Facts';
import { Ago, Until } from '../../../components/Moment';
import { Section } from '../../../components/Section';
import { Tags } from '../../../components/Tags';
import type { Client } from '../use-clients';

export function ClientFacts({ client }: { client: Client }) {
  const { groups, hasValidKey, createdAt, expiresAt, lastUsedAt, lastAddress, lastProgram } = client;
  return (
    <Section title="About">
      <Facts
        facts={[
          { title: 'Access', value: hasValidKey ? 'It has a valid key' : 'Refused: it has no valid key' },
          { title: 'Groups', value: groups.length > 0 ? <Tags tags={groups} /> : 'None' },
          { title: 'Created', value: createdAt && <Ago at={createdAt} /> },
          {
            title: 'Expires',
            value: expiresAt && (isPast(expiresAt) ? <Ago at={expiresAt} /> : <Until at={expiresAt} />),
          },
          { title: 'Last used', value: lastUsedAt === null ? 'Never' : <Ago at={lastUsedAt} /> },
          { title: 'From', value: lastAddress },
          { title: 'With', value: lastProgram },
        ]}
      />
    </Section>
  );
}

const isPast = (at: string): boolean => new Date(at) <= new Date();
