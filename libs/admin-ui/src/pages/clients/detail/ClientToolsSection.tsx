import { Badge, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { type Columns, DataTable } from '../../../components/DataTable';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import { countOf } from '../../../text/format';
import { PolicyLinks } from '../../policies/PolicyLinks';
import { type ClientTool, useClientTools } from '../use-clients';
import { summaryOfUse } from './use-summary';

const USES: Record<ClientTool['use'], { color: string; label: string }> = {
  allowed: { color: 'teal', label: 'Allowed' },
  depends: { color: 'blue', label: 'Depends on the call' },
  approval: { color: 'orange', label: 'Must be confirmed' },
  refused: { color: 'red', label: 'Refused' },
};
const SHOWN_FIRST = 10;

const COLUMNS: Columns<ClientTool> = {
  Tool: ({ name, title }) => (
    <>
      <TextLink to={`/skills/${encodeURIComponent(name)}`}>{name}</TextLink>
      {title && (
        <Text span size="sm">
          {` ${title}`}
        </Text>
      )}
    </>
  ),
  Calls: ({ use }) => <Badge color={USES[use].color}>{USES[use].label}</Badge>,
  By: ({ policies }) => (policies.length > 0 ? <PolicyLinks policies={policies} /> : 'No policy permits it'),
};

/** The enabled tools, and whether the policies let a client call them. */
export function ClientToolsSection({ name }: { name: string }) {
  const query = useClientTools(name);
  const tools = query.data;
  const [showsAll, setShowsAll] = useState(false);
  const hidden = showsAll ? 0 : Math.max(0, (tools?.length ?? 0) - SHOWN_FIRST);
  return (
    <Section title="Allowed tools" about={tools && summaryOfUse(tools)}>
      <QueryState query={query} />
      {tools && tools.length > 0 && (
        <DataTable
          label="Allowed tools"
          columns={COLUMNS}
          rows={tools.slice(0, tools.length - hidden)}
          keyOf={(tool) => tool.name}
        />
      )}
      {hidden > 0 && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setShowsAll(true)}>
          Show {countOf(hidden, 'more tool')}
        </Button>
      )}
    </Section>
  );
}
