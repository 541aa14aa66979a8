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
        facts={{
          Access: hasValidKey ? 'It has a valid key' : 'Refused: it has no valid key',
          Groups: groups.length > 0 ? <Tags tags={groups} /> : 'None',
          Created: createdAt && <Ago at={createdAt} />,
          Expires: expiresAt && (isPast(expiresAt) ? <Ago at={expiresAt} /> : <Until at={expiresAt} />),
          'Last used': lastUsedAt === null ? 'Never' : <Ago at={lastUsedAt} />,
          From: lastAddress,
          With: lastProgram,
        }}
      />
    </Section>
  );
}

const isPast = (at: string): boolean => new Date(at) <= new Date();
