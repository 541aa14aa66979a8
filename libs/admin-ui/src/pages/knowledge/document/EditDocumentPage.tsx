import { useNavigate, useParams } from 'react-router';
import { showDone } from '../../../components/notices';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { useDocument, useUpdateDocument } from '../use-knowledge';
import { DocumentForm } from './DocumentForm';

export default function EditDocumentPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const query = useDocument(id);
  const document = query.data;
  const update = useUpdateDocument({ id, version: document?.version ?? 0 });
  const shown = `/knowledge/${encodeURIComponent(id)}`;
  return (
    <>
      <TextLink to={shown}>{document?.title ?? 'The document'}</TextLink>
      <PageHeader title="Edit document" />
      <QueryState query={query} height={160} />
      {document && (
        <DocumentForm
          key={id}
          saved={document}
          cancelTo={shown}
          save={update}
          onSave={(body, endEdit) =>
            update.mutate(body, {
              onSuccess: () => {
                showDone('The document is saved.');
                void navigate(shown, endEdit());
              },
            })
          }
        />
      )}
    </>
  );
}
