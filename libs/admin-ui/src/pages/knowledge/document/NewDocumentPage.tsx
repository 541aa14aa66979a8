import { useNavigate } from 'react-router';
import { showDone } from '../../../components/notices';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { useCreateDocument } from '../use-knowledge';
import { DocumentForm } from './DocumentForm';

const EMPTY = { title: '', content: '', tags: [] };

export default function NewDocumentPage() {
  const navigate = useNavigate();
  const create = useCreateDocument();
  return (
    <>
      <TextLink to="/knowledge">All documents</TextLink>
      <PageHeader title="New document" />
      <DocumentForm
        saved={EMPTY}
        cancelTo="/knowledge"
        save={create}
        onSave={(body, endEdit) =>
          create.mutate(body, {
            onSuccess: ({ id }) => {
              showDone('The document is saved.');
              void navigate(`/knowledge/${encodeURIComponent(id)}`, endEdit());
            },
          })
        }
      />
    </>
  );
}
