import { type Columns, DataTable } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { JsonBlock } from '../../../components/JsonBlock';
import { Section } from '../../../components/Section';
import { type Difference, differencesOf } from '../state-difference';

const COLUMNS: Columns<Difference> = {
  What: ({ path }) => path || 'everything',
  Before: ({ path, before }) => <Value label={`${path} before`} value={before} />,
  After: ({ path, after }) => <Value label={`${path} after`} value={after} />,
};

/** Shows the differences of a change; for a created or removed object, its whole state. */
export function Changes({ before, after }: { before: unknown; after: unknown }) {
  if (before === undefined && after === undefined) return null;
  if (before === undefined || before === null) return <State title="Made" value={after} />;
  if (after === undefined || after === null) return <State title="Removed" value={before} />;
  const differences = differencesOf(before, after);
  return (
    <Section title="What changed">
      {differences.length > 0 ? (
        <DataTable label="What changed" columns={COLUMNS} rows={differences} keyOf={({ path }) => path} />
      ) : (
        <EmptyState title="No visible changes">
          Secrets are not recorded, so a change of one of them cannot be seen here.
        </EmptyState>
      )}
    </Section>
  );
}

function State({ title, value }: { title: string; value: unknown }) {
  return (
    <Section title={title}>
      <JsonBlock label={title} value={value} />
    </Section>
  );
}

function Value({ label, value }: { label: string; value: unknown }) {
  return value === undefined ? '–' : <JsonBlock label={label} value={value} />;
}
