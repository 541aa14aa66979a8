import { type Columns, DataTable } from '../../../components/DataTable';
import { Ago } from '../../../components/Moment';
import { showOutcome } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { RowButton } from '../../../components/RowButton';
import { Section } from '../../../components/Section';
import { type RemovedPackage, useRestorePackage } from '../use-packages';

const COLUMNS: Columns<RemovedPackage> = {
  Package: ({ name }) => name,
  Removed: ({ removedAt, removedBy }) => (
    <span>
      <Ago at={removedAt} /> {removedBy === null ? 'with its folder' : `by ${removedBy}`}
    </span>
  ),
  Actions: ({ name }) => (
    <OnlyFor role="editor">
      <RestoreButton name={name} />
    </OnlyFor>
  ),
};

/** Lists the packages that can be restored. */
export function RemovedPackages({ removed }: { removed: readonly RemovedPackage[] }) {
  return (
    <Section title="Removed" about="They can be restored with their versions for 30 days.">
      <DataTable label="Removed skill packages" columns={COLUMNS} rows={removed} keyOf={({ name }) => name} />
    </Section>
  );
}

function RestoreButton({ name }: { name: string }) {
  const restore = useRestorePackage(name);
  return (
    <RowButton
      of={name}
      isBusy={restore.isPending}
      onClick={() => showOutcome(restore.mutateAsync(), `${name} is restored.`)}
    >
      Restore
    </RowButton>
  );
}
