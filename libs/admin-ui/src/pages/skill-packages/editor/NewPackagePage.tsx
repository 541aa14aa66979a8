import { useNavigate } from 'react-router';
import { showDone } from '../../../components/notices';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { FIRST_DRAFT } from './package-draft';
import { PackageEditor } from './PackageEditor';
import { useSavePackage } from './use-edits';

export default function NewPackagePage() {
  const navigate = useNavigate();
  const save = useSavePackage();
  return (
    <>
      <TextLink to="/skill-packages">All skill packages</TextLink>
      <PageHeader
        title="New skill package"
        about="Instructions for one kind of task. Clients get it under its name as soon as it is saved."
      />
      <PackageEditor
        one={null}
        saved={FIRST_DRAFT}
        cancelTo="/skill-packages"
        save={save}
        onSave={(name, draft, endEdit) =>
          save.mutate(
            { name, draft, version: null },
            {
              onSuccess: ({ version }) => {
                showDone(`${name} is saved as version ${version}.`);
                void navigate(`/skill-packages/${name}`, endEdit());
              },
            },
          )
        }
      />
    </>
  );
}
