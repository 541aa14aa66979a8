import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Section } from '../../../components/Section';
import { countOf, formatNumber } from '../../../text/format';
import { type DryRun, type PolicyDraft, useDryRun } from '../use-policies';
import { ChangedCalls } from './ChangedCalls';

interface DryRunSectionProps {
  draft: PolicyDraft;
  /** True when there is a saved policy, which could be deleted. */
  isSaved: boolean;
  /** Why the text cannot be tried now; null = it can. */
  obstacle: string | null;
}

/** Shows how the latest calls would have been decided. */
export function DryRunSection({ draft, isSaved, obstacle }: DryRunSectionProps) {
  const { mutate, data, variables, error, isPending } = useDryRun();
  // The result applies to one text, so it is hidden when the text changes.
  const isCurrent = variables !== undefined && (variables.policy === null || variables.policy === draft.policy);
  const isWithout = variables?.policy === null;
  return (
    <Section
      title="Dry run"
      about="How the latest 1,000 calls in the audit log would have been decided if this policy had been in force."
    >
      <Stack gap="sm">
        <Group>
          <Button
            variant="default"
            loading={isPending && !isWithout}
            disabled={obstacle !== null}
            onClick={() => mutate(draft)}
          >
            Run with this text
          </Button>
          {isSaved && (
            <Button
              variant="default"
              loading={isPending && isWithout}
              onClick={() => mutate({ ...draft, policy: null })}
            >
              Run without this policy
            </Button>
          )}
          {obstacle && <Text size="sm">{obstacle}</Text>}
        </Group>
        {error && isCurrent && <ErrorNotice error={error} />}
        <div role="status">
          {data && isCurrent && <Summary run={data} condition={isWithout ? 'Without this policy' : 'With this text'} />}
        </div>
        {data && isCurrent && data.changed.length > 0 && <ChangedCalls calls={data.changed} shown={draft.name} />}
      </Stack>
    </Section>
  );
}

function Summary({ run: { calls, changed }, condition }: { run: DryRun; condition: string }) {
  if (calls === 0) return <Text size="sm">The audit log has no calls yet.</Text>;
  const count = (isMeant: (call: DryRun['changed'][number]) => boolean) => changed.filter(isMeant).length;
  const counts: [number, string][] = [
    [count(({ after }) => after === 'refused'), 'that went through would have been refused'],
    [count(({ after }) => after === 'confirmed'), 'would have waited for a person to confirm them'],
    [
      count(({ before, after }) => before === 'refused' && after === 'allowed'),
      'that were refused would have been allowed',
    ],
    [count(({ before, after }) => before === 'confirmed' && after === 'allowed'), 'would not have waited for a person'],
  ];
  const parts = counts.flatMap(([calls, what]) => (calls > 0 ? [`${formatNumber(calls)} ${what}`] : []));
  return (
    <Alert color={changed.length > 0 ? 'orange' : 'teal'} title={`${condition}, of ${countOf(calls, 'call')}:`}>
      {changed.length === 0 ? 'No decision would change.' : `${parts.join(', and ')}.`}
    </Alert>
  );
}
