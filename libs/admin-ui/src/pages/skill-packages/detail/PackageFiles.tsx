import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Columns, DataTable } from '../../../components/DataTable';
import { QueryState } from '../../../components/QueryState';
import { RowToggle } from '../../../components/RowButton';
import { Section } from '../../../components/Section';
import { TextBlock } from '../../../components/TextBlock';
import { formatBytes } from '../../../text/format';
import { type FullPackage, usePackageFile } from '../use-packages';

type PackageFile = FullPackage['files'][number];

/** Lists the files of a package, and shows the text of one. */
export function PackageFiles({ one: { name, version, files } }: { one: FullPackage }) {
  const [shown, show] = useState<string | null>(null);
  const columns: Columns<PackageFile> = {
    File: ({ path }) => <span style={{ overflowWrap: 'anywhere' }}>{path}</span>,
    Size: ({ size }) => formatBytes(size),
    Type: ({ mimeType }) => mimeType,
    'What to do': ({ path }) => (
      <RowToggle label={`Show ${path}`} value={path} chosen={shown} onChoose={show}>
        Show
      </RowToggle>
    ),
  };
  return (
    <Section title="Files" about={`Clients read them under skill://${name}/. The service runs none of them.`}>
      <Stack gap="sm">
        <DataTable label="Files" columns={columns} rows={files} keyOf={({ path }) => path} />
        {shown !== null && <ShownFile name={name} version={version} path={shown} />}
      </Stack>
    </Section>
  );
}

function ShownFile({ name, version, path }: { name: string; version: number; path: string }) {
  const query = usePackageFile(name, version, path);
  const file = query.data;
  if (!file) return <QueryState query={query} height={120} count={1} />;
  if (file.text === null) return <Text size="sm">{path} is not a text, or too long to show.</Text>;
  return <TextBlock label={`Text of ${path}`} text={file.text} isCode />;
}
