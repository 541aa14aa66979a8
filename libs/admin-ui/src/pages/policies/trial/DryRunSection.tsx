import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/DataTable';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Ago } from '../../../components/Moment';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import { countOf } from '../../../text/format';
import { PolicyLinks } from '../PolicyLinks';
import { type DryRun, type PolicyDraft, useDryRun } from '../use-policies';

interface DryRunSectionProps {
  draft: PolicyDraft;
  /** Whether there is a saved policy, which could be deleted. */
  isSaved: boolean;
  /** Why the text cannot be tried now; null when it can. */
  obstacle: string | null;
}

type ChangedCall = DryRun['changed'][number];

/** Says what the latest calls would have got. */
export function DryRunSection({ draft, isSaved, obstacle }: DryRunSectionProps) {
  const { mutate, data, variables, error, isPending } = useDryRun();
  // The answer is about one text, so it goes when the text changes.
  const isCurrent = variables !== undefined && (variables.policy === null || variables.policy === draft.policy);
  const isWithout = variables?.policy === null;
  return (
    <Section
      title="Dry run"
      about="What the latest 1,000 calls would have got if this policy had been in force, by what the audit log holds of them."
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
        {data && isCurrent && data.changed.length > 0 && (
          <DataTable
            label="Calls decided differently"
            columns={columnsFor(draft.name)}
            rows={data.changed}
            keyOf={({ seq }) => String(seq)}
          />
        )}
      </Stack>
    </Section>
  );
}

function Summary({ run: { calls, changed }, condition }: { run: DryRun; condition: string }) {
  if (calls === 0) return <Text size="sm">The audit log holds no calls yet.</Text>;
  const refused = changed.filter(({ allowed }) => !allowed).length;
  return (
    <Alert color={changed.length > 0 ? 'orange' : 'teal'} title={`${condition}, of ${countOf(calls, 'call')}:`}>
      {changed.length === 0
        ? 'Each one would have been decided as it was.'
        : `${refused} that went through would have been refused, and ${changed.length - refused} that were refused would have been allowed.`}
    </Alert>
  );
}

const columnsFor = (shown: string): readonly Column<ChangedCall>[] => [
  {
    title: 'When',
    render: ({ seq, at }) => (
      <TextLink to={`/audit/${seq}`}>
        <Ago at={at} />
      </TextLink>
    ),
  },
  { title: 'Client', render: ({ client }) => client },
  { title: 'Tool', render: ({ tool }) => tool },
  {
    title: 'Would be',
    render: ({ allowed, uncertain }) => (
      <Group gap={6}>
        <Badge color={allowed ? 'teal' : 'red'}>{allowed ? 'Allowed' : 'Refused'}</Badge>
        {uncertain && (
          <Badge color="gray" title="The audit log does not hold the arguments in full, so this may be wrong.">
            Uncertain
          </Badge>
        )}
      </Group>
    ),
  },
  {
    title: 'By',
    render: ({ policies }) =>
      policies.length > 0 ? <PolicyLinks policies={policies} shown={shown} /> : 'No policy permits it',
  },
];
