import { Alert, Group, Text } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { showDone } from '../../../components/notices';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { DownloadPackage } from '../DownloadPackage';
import type { FullPackage } from '../use-packages';
import { toDraft } from './package-draft';
import { PackageEditor } from './PackageEditor';
import { useEditedPackage, useSavePackage } from './use-edits';

export default function EditPackagePage() {
  const { name = '' } = useParams();
  const navigate = useNavigate();
  const query = useEditedPackage(name);
  const { data } = query;
  const save = useSavePackage();
  const shown = `/skill-packages/${name}`;
  return (
    <>
      <TextLink to={shown}>{name}</TextLink>
      <PageHeader title={`Edit ${name}`} about="Each save is a new version. Clients get it at once." />
      <QueryState query={query} height={160} />
      {data?.one.source === 'folder' && <FromFolder one={data.one} />}
      {data?.one.source === 'upload' && (
        <PackageEditor
          key={name}
          one={data.one}
          saved={toDraft(data.one, data.skillFile)}
          cancelTo={shown}
          save={save}
          onSave={(_name, draft, endEdit) =>
            save.mutate(
              { name, draft, version: data.one.version },
              {
                onSuccess: ({ version }) => {
                  showDone(`${name} is saved as version ${version}.`);
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

/** Explains why a package cannot be edited here. */
function FromFolder({ one }: { one: FullPackage }) {
  return (
    <Alert color="orange" title="This package comes from a folder">
      <Text size="sm" mb="sm">
        Change its files in that folder of SKILLS_DIR. You can also download it, and save it as a package with another
        name.
      </Text>
      <Group>
        <DownloadPackage one={one} />
      </Group>
    </Alert>
  );
}
