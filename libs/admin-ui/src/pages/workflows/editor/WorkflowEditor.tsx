import { Box, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { lazy, useState } from 'react';
import type { NavigateOptions } from 'react-router';
import { ApiError, isOutdated as isRefused } from '../../../api/api-error';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import { Diagram } from '../../../components/diagram/Diagram';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { LazyPart } from '../../../components/LazyPart';
import { LinkButton } from '../../../components/LinkButton';
import { LoadingLines } from '../../../components/LoadingLines';
import { ProblemList } from '../../../components/ProblemList';
import { Section } from '../../../components/Section';
import { type Save, useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { withNextVersion } from './next-version';
import { type DefinitionProblem, useValidation, useWorkflowSchema } from '../use-workflows';

const YamlEditor = lazy(() => import('../../../components/code-editor/YamlEditor'));
const TYPING_MS = 300;
const VERSION_HAS_RUN = 'workflows.version_has_run';
const NONE: DefinitionProblem[] = [];

interface WorkflowEditorProps {
  saved: string;
  /** True when the text is a suggestion that may be saved unchanged. */
  isNew?: boolean;
  cancelTo: string;
  save: Save;
  /** `endEdit` must be called after the save; it returns the options for leaving the page. */
  onSave: (definition: string, endEdit: () => NavigateOptions) => void;
}

/** Editor of a definition. Problems are marked at their lines while typing, and the diagram is updated. */
export function WorkflowEditor({ saved, isNew = false, cancelTo, save, onSave }: WorkflowEditorProps) {
  const edit = useUnsavedDraft(saved, save);
  const { draft, setDraft, endEdit, hasChanges, isOutdated } = edit;
  const { error } = save;
  const [settled] = useDebouncedValue(draft, TYPING_MS);
  const [target, setTarget] = useState<{ line: number; column: number } | null>(null);
  const schema = useWorkflowSchema();
  const validation = useValidation(settled);
  const { problems = NONE, diagram } = validation.data ?? {};
  // While there are errors, the last diagram stays.
  const [lastDiagram, setLastDiagram] = useState<string | null>(null);
  if (diagram && diagram !== lastDiagram) setLastDiagram(diagram);
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return (
    <Form onSubmit={() => onSave(draft, () => endEdit(draft))}>
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="sm">
            <LazyPart fallback={<LoadingLines height={480} count={1} />}>
              <YamlEditor
                label="Definition, YAML"
                value={draft}
                onChange={setDraft}
                marks={problems}
                schema={schema.data ?? null}
                target={target}
              />
            </LazyPart>
            <ChangedMeanwhile what="workflow" edit={edit} textOf={String} />
            {error && !(isOutdated && isRefused(error)) && <ErrorNotice error={error} />}
            {error instanceof ApiError && error.code === VERSION_HAS_RUN && (
              <NextVersion definition={draft} onTake={setDraft} />
            )}
            <Group gap="xs">
              <Button
                type="submit"
                loading={save.isPending}
                disabled={!(hasChanges || isNew) || isOutdated || hasErrors}
              >
                Save
              </Button>
              <LinkButton to={cancelTo}>Cancel</LinkButton>
              {hasErrors && <Text size="sm">Fix the errors to save.</Text>}
            </Group>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Box aria-live="polite" mb={problems.length > 0 ? 'sm' : 0}>
            <ProblemList problems={problems} onShow={({ line, column }) => setTarget({ line, column })} />
          </Box>
          <Stack gap="sm">
            {validation.error && <ErrorNotice error={validation.error} onRetry={() => void validation.refetch()} />}
            <Section title="Diagram" about={lastDiagram && !diagram && 'From the last valid version.'}>
              {lastDiagram ? (
                <Diagram label="Flowchart of the definition" flowchart={lastDiagram} />
              ) : (
                <Text size="sm" c="dimmed">
                  The diagram appears as soon as the definition has no errors.
                </Text>
              )}
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </Form>
  );
}

function NextVersion({ definition, onTake }: { definition: string; onTake: (definition: string) => void }) {
  const next = withNextVersion(definition);
  if (!next) return null;
  return (
    <Group>
      <Button size="xs" variant="default" onClick={() => onTake(next.definition)}>
        Make it version {next.version}
      </Button>
    </Group>
  );
}
