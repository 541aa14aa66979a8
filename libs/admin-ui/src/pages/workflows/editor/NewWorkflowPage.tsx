import { useNavigate } from 'react-router';
import { showDone } from '../../../components/notices';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { useCreateWorkflow } from '../use-workflows';
import { WorkflowEditor } from './WorkflowEditor';

export default function NewWorkflowPage() {
  const navigate = useNavigate();
  const create = useCreateWorkflow();
  return (
    <>
      <TextLink to="/workflows">All workflows</TextLink>
      <PageHeader
        title="New workflow"
        about="A document of the Open Workflow DSL. Its name becomes the name of the tool, its summary the description."
      />
      <WorkflowEditor
        saved={FIRST_DEFINITION}
        isNew
        cancelTo="/workflows"
        save={create}
        onSave={(definition, endEdit) =>
          create.mutate(definition, {
            onSuccess: ({ name, exampleEvent }) => {
              showDone(
                `${name} is saved. ${exampleEvent ? 'Events start it.' : 'Connected clients see it as a tool.'}`,
              );
              void navigate(`/workflows/${encodeURIComponent(name)}`, endEdit());
            },
          })
        }
      />
    </>
  );
}

/** The initial text of a new workflow: valid, with the parts that most workflows have. */
const FIRST_DEFINITION = `document:
  dsl: 1.0.3
  namespace: team
  name: greet_team
  version: 1.0.0
  title: Greet the team
  summary: Use this to greet somebody of the team by name.
input:
  schema:
    document:
      type: object
      properties:
        name:
          type: string
          description: Who is greeted
      required: [name]
do:
  - greet:
      set:
        greeting: \${ "Hello, " + .name + "!" }
`;
