import { api, type Schemas, useRead } from '../../api/client';
import { Caller } from '../../components/Caller';
import type { Columns } from '../../components/DataTable';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Section } from '../../components/Section';
import { ShortTable } from '../../components/ShortTable';
import { formatNumber } from '../../text/format';

type Usage = Schemas['LlmUsageView'];

const REFRESH_MS = 15_000;

/** Shows the tokens that each client has used this month; nothing before the first one. */
export function TokenUsage() {
  const { data, error, refetch } = useRead(['llm-usage'], () => api.GET('/admin/api/llm-usage'), {
    refetchInterval: REFRESH_MS,
  });
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data || data.used === 0) return null;
  const { used, totalLimit, clients } = data;
  return (
    <Section
      title="Tokens this month"
      about={`${shareOf(used, totalLimit)} by all clients together. The count restarts on the first of next month, 00:00 UTC.`}
    >
      <ShortTable label="Tokens by client" columns={columnsFor(data)} rows={clients} keyOf={({ client }) => client} />
    </Section>
  );
}

const columnsFor = ({ limit }: Usage): Columns<Usage['clients'][number]> => ({
  Client: ({ client }) => <Caller name={client} />,
  Tokens: ({ tokens }) => shareOf(tokens, limit),
});

/** For example "1,200 of 5,000 (24%)". */
function shareOf(tokens: number, limit: number | null): string {
  if (limit === null) return formatNumber(tokens);
  return `${formatNumber(tokens)} of ${formatNumber(limit)} (${Math.floor((100 * tokens) / limit)}%)`;
}
