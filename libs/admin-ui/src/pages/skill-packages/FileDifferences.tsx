import { Text } from '@mantine/core';
import { lazy } from 'react';
import type { Schemas } from '../../api/client';
import { LazyPart } from '../../components/LazyPart';
import { LoadingLines } from '../../components/LoadingLines';

const TextComparison = lazy(() => import('../../components/code-editor/TextComparison'));

const CHANGES = { added: 'is new', removed: 'is no longer there', changed: 'has changed' } as const;

/** Shows the files that differ between two versions of a package, and how they differ. */
export function FileDifferences({ files }: { files: readonly Schemas['FileDifferenceView'][] }) {
  return files.map(({ path, change, before, after }) => (
    <div key={path}>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {path} {CHANGES[change]}
      </Text>
      {(before !== null || after !== null) && (
        <LazyPart fallback={<LoadingLines height={80} count={1} />}>
          <TextComparison label={`Changes of ${path}`} before={before ?? ''} after={after ?? ''} isYaml={false} />
        </LazyPart>
      )}
    </div>
  ));
}
