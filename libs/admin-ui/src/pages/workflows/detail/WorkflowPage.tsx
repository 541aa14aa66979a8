import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { DeleteButton } from '../../../components/DeleteButton';
import { Diagram } from '../../../components/diagram/Diagram';
import { LinkButton } from '../../../components/LinkButton';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { ProblemList } from '../../../components/ProblemList';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextBlock } from '../../../components/TextBlock';
import { TextLink } from '../../../components/TextLink';
import { type FullWorkflow, useDeleteWorkflow, useWorkflow } from '../use-workflows';
import { StartSection } from './StartSection';
import { Versions } from './Versions';
import { Facts } from '../../../components/Facts';
import { Ago } from '../../../components/Moment';
import { originOf } from '../origin';
import { WorkflowSwitch } from '../WorkflowSwitch';

export default function WorkflowPage() {
  const { name = '' } = useParams();
  const query = useWorkflow(name);
  const workflow = query.data;
  const deletion = useDeleteWorkflow(name);
  return (
    <>
      <TextLink to="/workflows">All workflows</TextLink>
      <PageHeader
        title={name}
        about={workflow?.title}
        actions={
          workflow && (
            <Group gap="xs">
              <OnlyFor role="editor">
                <LinkButton to={`/workflows/${encodeURIComponent(name)}/edit`} variant="filled">
                  Edit
                </LinkButton>
              </OnlyFor>
              <LinkButton to={`/runs?workflow=${encodeURIComponent(name)}`}>Runs</LinkButton>
              <OnlyFor role="editor">
                <DeleteButton
                  deletion={deletion}
                  title="Delete this workflow?"
                  text={`Clients will no longer see the tool ${name}. Its runs stay. This cannot be undone.`}
                  confirm="Delete workflow"
                  done={`${name} is deleted.`}
                  to="/workflows"
                />
              </OnlyFor>
            </Group>
          )
        }
      />
      <Stack>
        <QueryState query={query} height={160} />
        {workflow && (
          <>
            <ProblemList problems={workflow.problems} />
            <WorkflowFacts workflow={workflow} />
            <OnlyFor role="editor">
              <StartSection key={`${name} ${workflow.version}`} workflow={workflow} />
            </OnlyFor>
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Section title="Diagram">
                {workflow.diagram ? (
                  <Diagram label={`Flowchart of ${name}`} flowchart={workflow.diagram} />
                ) : (
                  <Text size="sm">There is none, because the definition has errors.</Text>
                )}
              </Section>
              <Section title="Definition">
                <TextBlock label="Definition, YAML" text={workflow.definition} isCode />
              </Section>
            </SimpleGrid>
            <Versions key={name} workflow={workflow} />
          </>
        )}
      </Stack>
    </>
  );
}

function WorkflowFacts({ workflow }: { workflow: FullWorkflow }) {
  const { summary, version, schedule, updatedAt, name, enabled, isBackground, exampleEvent } = workflow;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        {summary && <Text style={{ whiteSpace: 'pre-wrap' }}>{summary}</Text>}
        <Group gap="xs">
          <WorkflowSwitch workflow={workflow} />
          <Text size="sm">
            {enabled
              ? `Enabled: ${exampleEvent ? 'events start it; clients do not see it as a tool.' : 'clients see it as a tool and may call it.'}`
              : 'Disabled: hidden from clients, and not started by triggers. Runs in progress continue.'}
          </Text>
        </Group>
        <Facts
          facts={{
            Version: version,
            Schedule: schedule,
            Calls: isBackground ? 'Return at once; the run continues in the background' : null,
            From: originOf(workflow),
            Resource: `workflow://${name}`,
            Changed: <Ago at={updatedAt} />,
          }}
        />
      </Stack>
    </Paper>
  );
}
