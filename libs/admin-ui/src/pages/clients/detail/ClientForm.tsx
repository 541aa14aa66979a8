import { Button, Stack } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { fieldErrors } from '../../../api/api-error';
import { clearAnswer } from '../../../components/clear-answer';
import { FieldsChangedMeanwhile } from '../../../components/FieldsChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { Section } from '../../../components/Section';
import { useUnsavedFields } from '../../../components/use-unsaved-changes';
import { draftOf, isReadable, textOf, toChange } from '../client-draft';
import { ClientFields } from '../ClientFields';
import { type Client, useUpdateClient } from '../use-clients';

export function ClientForm({ client }: { client: Client }) {
  const saved = draftOf(client);
  const fields = useUnsavedFields(saved);
  const { draft, change, endEdit, hasChanges, isOutdated } = fields;
  const save = useUpdateClient(client.name);
  const errors = fieldErrors(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(toChange(draft, saved), { onSuccess: () => (endEdit(draft), showDone(`${client.name} is saved.`)) });
  };
  return (
    <Section title="Change">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" align="start">
          {save.error && errors.size === 0 && <ErrorNotice error={save.error} />}
          <ClientFields
            draft={draft}
            errors={errors}
            onChange={(changed) => {
              clearAnswer(save);
              change(changed);
            }}
          />
          <FieldsChangedMeanwhile what="client" fields={fields} textOf={textOf} isSaving={save.isPending} />
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            disabled={!hasChanges || isOutdated || !isReadable(draft)}
          >
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
