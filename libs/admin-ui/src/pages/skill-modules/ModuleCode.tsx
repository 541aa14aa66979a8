import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { TextBlock } from '../../components/TextBlock';
import { TextChanges } from '../../components/TextChanges';
import { type FullModule, useModuleCode } from './use-modules';

/** Shows the code of the newest version, or its differences from another one. */
export function ModuleCode({ one }: { one: FullModule }) {
  const { name, version, offered, files, versions } = one;
  const before = offered !== null && offered !== version ? offered : null;
  const [compared, compare] = useState<string | null>(before === null ? null : String(before));
  const others = versions.filter((other) => other.version !== version);
  return (
    <Section title="Code" about={`Version ${version}. The last 20 versions are kept.`}>
      <Stack gap="sm">
        {others.length > 0 && (
          <Select
            label="Compare with"
            placeholder="No other version"
            clearable
            maw={320}
            data={others.map((other) => ({
              value: String(other.version),
              label: `Version ${other.version}${other.version === offered ? ' (clients get it)' : ''}`,
            }))}
            value={compared}
            onChange={compare}
          />
        )}
        {compared === null ? (
          files.map(({ path, code }) => (
            <TextBlock key={path} label={files.length === 1 ? `Code of ${name}` : path} text={code} isCode />
          ))
        ) : (
          <Comparison name={name} version={Number(compared)} files={files} />
        )}
      </Stack>
    </Section>
  );
}

interface ComparisonProps {
  name: string;
  version: number;
  files: FullModule['files'];
}

/** Shows the files that differ between a version and these files. */
function Comparison({ name, version, files }: ComparisonProps) {
  const query = useModuleCode(name, version);
  const { data } = query;
  if (!data) return <QueryState query={query} height={120} count={1} />;
  const codeIn = (some: FullModule['files'], path: string) => some.find((one) => one.path === path)?.code ?? '';
  const paths = [...new Set([...data.files, ...files].map(({ path }) => path))].sort();
  const changed = paths.filter((path) => codeIn(data.files, path) !== codeIn(files, path));
  return (
    <>
      {changed.map((path) => (
        <Stack key={path} gap={4}>
          {paths.length > 1 && <Text fw={600}>{path}</Text>}
          <TextChanges
            label={paths.length > 1 ? `Changes of ${path}` : `Changes of ${name}`}
            before={codeIn(data.files, path)}
            after={codeIn(files, path)}
          />
        </Stack>
      ))}
      {changed.length === 0 && <Text size="sm">The files are the same.</Text>}
    </>
  );
}
