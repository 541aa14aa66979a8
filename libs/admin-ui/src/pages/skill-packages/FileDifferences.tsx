import { Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { TextChanges } from '../../components/TextChanges';

const CHANGES = { added: 'is new', removed: 'is no longer there', changed: 'has changed' } as const;

/** Shows the files that differ between two versions of a package, and how they differ. */
export function FileDifferences({ files }: { files: readonly Schemas['FileDifferenceView'][] }) {
  return files.map(({ path, change, before, after }) => (
    <div key={path}>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {path} {CHANGES[change]}
      </Text>
      {(before !== null || after !== null) && (
        <TextChanges label={`Changes of ${path}`} before={before ?? ''} after={after ?? ''} />
      )}
    </div>
  ));
}
