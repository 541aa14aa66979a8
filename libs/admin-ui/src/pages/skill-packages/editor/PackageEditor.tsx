import { Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { NavigateOptions } from 'react-router';
import { ApiError, isOutdated as isRefused } from '../../../api/api-error';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import MarkdownEditor from '../../../components/code-editor/MarkdownEditor';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { LinkButton } from '../../../components/LinkButton';
import { ProblemList } from '../../../components/ProblemList';
import { type Save, useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { PackageProblems } from '../PackageProblems';
import type { FullPackage } from '../use-packages';
import { DraftFiles } from './DraftFiles';
import { asText, type PackageDraft, SKILL_FILE } from './package-draft';
import { PackagePreview } from './PackagePreview';
import { useDraftReport } from './use-edits';

const TYPING_MS = 400;

interface PackageEditorProps {
  /** The edited package; null = a new one. */
  one: FullPackage | null;
  saved: PackageDraft;
  cancelTo: string;
  save: Save;
  /** `endEdit` must be called after the save; it returns the options for leaving the page. */
  onSave: (name: string, draft: PackageDraft, endEdit: () => NavigateOptions) => void;
}

/** Editor of a package. Problems are marked at their lines while typing, next to a preview for programs. */
export function PackageEditor({ one, saved, cancelTo, save, onSave }: PackageEditorProps) {
  const edit = useUnsavedDraft(saved, save);
  const { draft, setDraft, endEdit, hasChanges, isOutdated } = edit;
  const [settled] = useDebouncedValue(draft, TYPING_MS);
  const [target, setTarget] = useState<{ line: number; column: number } | null>(null);
  const report = useDraftReport(one?.name ?? null, settled);
  const { data } = report;
  const marks = useMemo(() => marksOf(data?.problems), [data]);
  const others = data?.problems.filter(({ file }) => file !== SKILL_FILE) ?? [];
  const hasErrors = data !== undefined && data.preview === null;
  const isChecked = settled === draft && !report.isPlaceholderData;
  const name = one?.name ?? (isChecked ? data?.name : null) ?? null;
  const submit = () => name !== null && onSave(name, draft, () => endEdit(draft));
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Form onSubmit={submit}>
          <Stack gap="sm">
            <MarkdownEditor
              label={SKILL_FILE}
              value={draft.skillFile}
              onChange={(skillFile) => setDraft({ ...draft, skillFile })}
              marks={marks}
              target={target}
            />
            <div aria-live="polite">
              <Stack gap="sm">
                <ProblemList problems={marks} onShow={({ line, column }) => setTarget({ line, column })} />
                <PackageProblems problems={others} />
              </Stack>
            </div>
            {report.error && <ErrorNotice error={report.error} onRetry={() => void report.refetch()} />}
            <DraftFiles one={one} draft={draft} onChange={setDraft} />
            <ChangedMeanwhile
              what="package"
              consequence="Neither version is lost: choose which one to keep."
              edit={edit}
              textOf={asText}
            />
            {save.error && !(isOutdated && isRefused(save.error)) && <SaveError error={save.error} />}
            <Group gap="xs">
              <Button
                type="submit"
                loading={save.isPending}
                disabled={!hasChanges || isOutdated || hasErrors || name === null}
              >
                Save
              </Button>
              <LinkButton to={cancelTo}>Cancel</LinkButton>
              {hasErrors && <Text size="sm">Fix the errors to save.</Text>}
            </Group>
          </Stack>
        </Form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <PackagePreview name={name} report={data} />
      </Grid.Col>
    </Grid>
  );
}

function SaveError({ error }: { error: Error }) {
  const problems = problemsIn(error);
  return problems.length > 0 ? <PackageProblems problems={problems} /> : <ErrorNotice error={error} />;
}

const marksOf = (
  problems: readonly { severity: 'error' | 'warning'; file: string; line: number; message: string }[] = [],
) =>
  problems
    .filter(({ file }) => file === SKILL_FILE)
    .map(({ severity, line, message }) => ({ severity, line, message, path: '', column: 1 }));

/** Returns the problems of the files of a refused package; empty when the error is not about files. */
const problemsIn = (error: unknown) =>
  error instanceof ApiError && error.code === 'packages.invalid'
    ? error.fields.map(({ path: file, line, message }) => ({ file, line, message }))
    : [];
