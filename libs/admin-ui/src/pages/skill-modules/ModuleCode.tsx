import { Select, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ErrorNotice } from '../../components/ErrorNotice';
import { LoadingLines } from '../../components/LoadingLines';
import { Section } from '../../components/Section';
import { TextBlock } from '../../components/TextBlock';
import { type FullModule, useModuleCode } from './use-modules';

const TextComparison = lazy(() => import('../../components/code-editor/TextComparison'));

/** Shows the code of the newest version, or what is different in it from another one. */
export function ModuleCode({ one }: { one: FullModule }) {
  const { name, version, offered, code, versions } = one;
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
          <TextBlock label={`Code of ${name}`} text={code} />
        ) : (
          <Comparison name={name} version={Number(compared)} code={code} />
        )}
      </Stack>
    </Section>
  );
}

function Comparison({ name, version, code }: { name: string; version: number; code: string }) {
  const { data, error } = useModuleCode(name, version);
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <LoadingLines height={120} count={1} />;
  return (
    <Suspense fallback={<LoadingLines height={80} count={1} />}>
      <TextComparison label={`Changes of ${name}`} before={data.code} after={code} isYaml={false} />
    </Suspense>
  );
}
