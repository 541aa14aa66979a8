import { fieldErrors } from '../../../api/api-error';
import { FieldsForm } from '../../../components/FieldsForm';
import { showDone } from '../../../components/notices';
import { useUnsavedFields } from '../../../components/use-unsaved-changes';
import { draftOf, isReadable, textOf, toChange } from '../client-draft';
import { ClientFields } from '../ClientFields';
import { type Client, useUpdateClient } from '../use-clients';

export function ClientForm({ client }: { client: Client }) {
  const saved = draftOf(client);
  const save = useUpdateClient(client.name);
  const fields = useUnsavedFields(saved, save);
  const { draft, change, endEdit } = fields;
  const submit = () =>
    save.mutate(toChange(draft, saved), {
      onSuccess: () => {
        endEdit(draft);
        showDone(`${client.name} is saved.`);
      },
    });
  return (
    <FieldsForm
      title="Change"
      what="client"
      fields={fields}
      textOf={textOf}
      error={save.error}
      isReadable={isReadable(draft)}
      onSave={submit}
    >
      <ClientFields draft={draft} errors={fieldErrors(save.error)} onChange={change} />
    </FieldsForm>
  );
}
