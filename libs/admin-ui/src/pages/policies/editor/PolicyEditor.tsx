import { Box, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { lazy, type ReactNode, useState } from 'react';
import { useMay } from '../../../api/session';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { LazyPart } from '../../../components/LazyPart';
import { LoadingLines } from '../../../components/LoadingLines';
import { OnlyFor } from '../../../components/OnlyFor';
import { ProblemList } from '../../../components/ProblemList';
import { nameForTrial } from '../policy-text';
import { DryRunSection } from '../trial/DryRunSection';
import { PolicyTrial } from '../trial/PolicyTrial';
import { usePolicyCheck } from '../use-policies';
import { problemsOf } from './policy-problems';
import { api, bodyOf } from '../../../api/client';

const CedarEditor = lazy(() => import('../../../components/code-editor/CedarEditor'));
const TYPING_MS = 300;

interface PolicyEditorProps {
  name: string;
  isSaved: boolean;
  text: string;
  onChange: (text: string) => void;
  /** True when there is something to save. */
  canSave: boolean;
  isSaving: boolean;
  onSave: () => void;
  /** Fields and notices above the text. */
  above?: ReactNode;
  /** Notices below the text, and buttons next to Save. */
  below?: ReactNode;
  actions?: ReactNode;
}

/** Editor of a policy. Problems are marked in place while typing, and the text can be tried before it is saved. */
export function PolicyEditor(props: PolicyEditorProps) {
  const { name, isSaved, text, onChange, canSave, isSaving, onSave, above, below, actions } = props;
  const may = useMay('admin');
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const [target, setTarget] = useState<{ line: number; column: number } | null>(null);
  const check = usePolicyCheck(settled);
  const problems = problemsOf(settled === '' ? undefined : check.data);
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  const formatted = settled === text && !check.isPlaceholderData ? (check.data?.formatted ?? null) : null;
  const obstacle = text.trim() === '' ? 'Write the policy first.' : hasErrors ? 'Fix the errors first.' : null;
  const draft = { name: nameForTrial(name), policy: text };
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Form onSubmit={onSave}>
          <Stack gap="sm">
            {above}
            <LazyPart fallback={<LoadingLines height={260} count={1} />}>
              <CedarEditor
                label="Policy, Cedar"
                value={text}
                onChange={onChange}
                marks={problems}
                target={target}
                findNames={findNames}
                isReadOnly={!may}
              />
            </LazyPart>
            <div aria-live="polite">
              <ProblemList problems={problems} onShow={({ line, column }) => setTarget({ line, column })} />
            </div>
            {check.error && <ErrorNotice error={check.error} onRetry={() => void check.refetch()} />}
            {below}
            <OnlyFor role="admin">
              <Group gap="xs">
                <Button type="submit" loading={isSaving} disabled={!canSave || obstacle !== null}>
                  Save
                </Button>
                {actions}
                <Button
                  variant="default"
                  disabled={formatted === null || formatted.trim() === text.trim()}
                  onClick={() => formatted !== null && onChange(formatted)}
                >
                  Format
                </Button>
                {hasErrors && <Text size="sm">Fix the errors to save.</Text>}
              </Group>
            </OnlyFor>
          </Stack>
        </Form>
        <Box mt="md">
          <DryRunSection draft={draft} isSaved={isSaved} obstacle={obstacle} />
        </Box>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <PolicyTrial
          about="How the policies would decide a call if this text were saved and enabled."
          draft={draft}
          obstacle={obstacle}
        />
      </Grid.Col>
    </Grid>
  );
}

const MOST_NAMES = 50;

/** Finds names of entities that a policy may name. Returns none if they cannot be loaded. */
async function findNames(type: string, typed: string): Promise<readonly string[]> {
  try {
    return await namesOf(type, typed);
  } catch {
    return [];
  }
}

async function namesOf(type: string, typed: string): Promise<readonly string[]> {
  switch (type) {
    case 'Tool': {
      const query = { q: typed || undefined, limit: MOST_NAMES };
      const { items } = await bodyOf(api.GET('/admin/api/skills', { params: { query } }));
      return items.flatMap(({ name, inputSchema }) => (inputSchema ? [name] : []));
    }
    case 'Client':
      return (await bodyOf(api.GET('/admin/api/clients'))).items.map(({ name }) => name);
    case 'Group':
      return (await bodyOf(api.GET('/admin/api/client-groups'))).items;
    default:
      return [];
  }
}
