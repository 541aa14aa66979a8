import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Columns, DataTable } from '../../../components/DataTable';
import { Ago } from '../../../components/Moment';
import { showDone, showError } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { QueryState } from '../../../components/QueryState';
import { CompareToggle } from '../../../components/RowButton';
import { Section } from '../../../components/Section';
import { countOf } from '../../../text/format';
import { FileDifferences } from '../FileDifferences';
import { type FullPackage, type PackageVersion, usePackageComparison, useSetPackageVersion } from '../use-packages';

/** Lists the versions of a package, shows differences from the current one, and restores one. */
export function PackageVersions({ one }: { one: FullPackage }) {
  const [compared, compare] = useState<number | null>(null);
  const columns: Columns<PackageVersion> = {
    Version: ({ version }) => (version === one.version ? `${version} (current)` : version),
    Saved: ({ savedAt }) => <Ago at={savedAt} />,
    'Saved by': ({ savedBy }) => savedBy ?? 'Its folder',
    Files: ({ files }) => files,
    'What to do': ({ version }) =>
      version !== one.version && <CompareToggle version={version} compared={compared} onCompare={compare} />,
  };
  return (
    <Section title="Versions" about="The last 20 previous versions are kept, up to 64 MB.">
      <Stack gap="sm">
        <DataTable label="Versions" columns={columns} rows={one.versions} keyOf={({ version }) => String(version)} />
        {compared !== null && <Comparison one={one} version={compared} onRestored={() => compare(null)} />}
      </Stack>
    </Section>
  );
}

interface ComparisonProps {
  one: FullPackage;
  version: number;
  onRestored: () => void;
}

function Comparison({ one: { name, version: current, source }, version, onRestored }: ComparisonProps) {
  const query = usePackageComparison(name, version, current);
  const { data } = query;
  const setBack = useSetPackageVersion(name);
  if (!data) return <QueryState query={query} height={120} count={1} />;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {countOf(data.files.length, 'file')} of version {current} {data.files.length === 1 ? 'differs' : 'differ'} from
        version {version}:
      </Text>
      <FileDifferences files={data.files} />
      {source === 'upload' && (
        <OnlyFor role="editor">
          <Group>
            <Button
              variant="default"
              loading={setBack.isPending}
              onClick={() =>
                setBack.mutate(version, {
                  onSuccess: () => {
                    onRestored();
                    showDone(`Clients get version ${version} of ${name}.`);
                  },
                  onError: showError,
                })
              }
            >
              Restore version {version}
            </Button>
          </Group>
        </OnlyFor>
      )}
    </Stack>
  );
}
