import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../../components/Form';
import { Ago } from '../../../components/Moment';
import { countOf } from '../../../text/format';
import type { PreviewedFile } from './import-requests';
import { reasonOf } from './ImportSummary';
import type { Plan } from './use-import';

const KINDS = [
  { outcome: 'updated', word: 'changed' },
  { outcome: 'failed', word: 'refused' },
  { outcome: 'created', word: 'new' },
  { outcome: 'unchanged', word: 'unchanged' },
] as const;
const MOST_LISTED = 50;

interface ImportPlanProps {
  plan: Plan;
  isBusy: boolean;
  onRename: (name: string) => void;
  onImport: () => void;
  onCancel: () => void;
}

/** Shows what an import would do, before it runs. */
export function ImportPlan({ plan: { name, previewed }, isBusy, onRename, onImport, onCancel }: ImportPlanProps) {
  const [entered, setEntered] = useState(name);
  const isRenamed = entered.trim() !== name;
  const count = (wanted: string) => previewed.filter(({ outcome }) => outcome === wanted).length;
  const toSave = count('created') + count('updated');
  const counts = KINDS.filter(({ outcome }) => count(outcome) > 0).map(
    ({ outcome, word }) => `${count(outcome)} ${word}`,
  );
  const submit = () => {
    if (isRenamed) onRename(entered.trim());
    else onImport();
  };
  return (
    <Alert role="region" aria-label="Import" color="blue" title="Import these files?">
      <Form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            {countOf(previewed.length, 'document')}: {counts.join(', ')}. Nothing is saved yet.
          </Text>
          <TextInput
            label="Import as"
            description="The paths of the documents begin with this name. Files of the same path replace each other."
            maw={480}
            autoComplete="off"
            value={entered}
            onChange={(event) => setEntered(event.currentTarget.value)}
          />
          {KINDS.map(({ outcome }) => (
            <Files key={outcome} files={previewed.filter((file) => file.outcome === outcome)} />
          ))}
          <Group gap="xs">
            <Button type="submit" loading={isBusy} disabled={!isRenamed && toSave === 0}>
              {isRenamed ? 'Compare again' : `Import ${countOf(toSave, 'document')}`}
            </Button>
            <Button variant="default" disabled={isBusy} onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </Form>
    </Alert>
  );
}

function Files({ files }: { files: readonly PreviewedFile[] }) {
  if (files.length === 0) return null;
  return (
    <div>
      <List size="sm">
        {files.slice(0, MOST_LISTED).map((file, index) => (
          <List.Item key={index}>
            <Fate file={file} />
          </List.Item>
        ))}
      </List>
      {files.length > MOST_LISTED && <Text size="sm">And {countOf(files.length - MOST_LISTED, 'other')}.</Text>}
    </div>
  );
}

function Fate({ file: { path, outcome, problem, title, present } }: { file: PreviewedFile }) {
  if (outcome === 'failed') return `${path}: refused: ${reasonOf({ path, problem })}`;
  if (outcome === 'created') return `${path}: new: “${title ?? ''}”`;
  if (outcome === 'unchanged' || !present) return `${path}: unchanged`;
  return (
    <>
      {path}: changed: replaces “{present.title}”, saved by {present.source ?? 'somebody'}{' '}
      <Ago at={present.updatedAt} />, which its history keeps
    </>
  );
}
