import { useNavigate, useParams } from 'react-router';
import { showDone } from '../../../components/notices';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { useSaveWorkflow, useWorkflow } from '../use-workflows';
import { WorkflowEditor } from './WorkflowEditor';

export default function EditWorkflowPage() {
  const { name = '' } = useParams();
  const navigate = useNavigate();
  const query = useWorkflow(name);
  const workflow = query.data;
  const save = useSaveWorkflow(name);
  const shown = `/workflows/${encodeURIComponent(name)}`;
  return (
    <>
      <TextLink to={shown}>{name}</TextLink>
      <PageHeader
        title={`Edit ${name}`}
        about="Give it a new version: a version that has run cannot be changed, so that its runs stay understandable."
      />
      <QueryState query={query} height={160} />
      {workflow && (
        <WorkflowEditor
          key={name}
          saved={workflow.definition}
          cancelTo={shown}
          save={save}
          onSave={(definition, endEdit) =>
            save.mutate(
              { definition, revision: workflow.revision },
              {
                onSuccess: ({ version }) => {
                  showDone(`Version ${version} is saved.`);
                  void navigate(shown, endEdit());
                },
              },
            )
          }
        />
      )}
    </>
  );
}
