import { OnlyFor } from '../../../components/OnlyFor';
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { Diagram } from '../../../components/diagram/Diagram';
import { PageHeader } from '../../../components/PageHeader';
import { ProblemList } from '../../../components/ProblemList';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextBlock } from '../../../components/TextBlock';
import { TextLink } from '../../../components/TextLink';
import { useWorkflow } from '../use-workflows';
import { DeleteWorkflowButton } from './DeleteWorkflowButton';
import { StartSection } from './StartSection';
import { Versions } from './Versions';
import { WorkflowFacts } from './WorkflowFacts';

export default function WorkflowPage() {
  const { name = '' } = useParams();
  const query = useWorkflow(name);
  const workflow = query.data;
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
                <Button component={Link} to={`/workflows/${encodeURIComponent(name)}/edit`}>
                  Edit
                </Button>
              </OnlyFor>
              <Button component={Link} to={`/runs?workflow=${encodeURIComponent(name)}`} variant="default">
                Runs
              </Button>
              <OnlyFor role="editor">
                <DeleteWorkflowButton name={name} />
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
                <TextBlock label="Definition, YAML" text={workflow.definition} />
              </Section>
            </SimpleGrid>
            <Versions key={name} workflow={workflow} />
          </>
        )}
      </Stack>
    </>
  );
}
