import { Button, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { fieldErrors } from '../../../api/api-error';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { Section } from '../../../components/Section';
import { draftOf, toBody } from '../client-draft';
import { ClientFields } from '../ClientFields';
import { type Client, useUpdateClient } from '../use-clients';

export function ClientForm({ client }: { client: Client }) {
  const [draft, setDraft] = useState(draftOf(client));
  const save = useUpdateClient(client.name);
  const errors = fieldErrors(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(toBody(draft), { onSuccess: () => showDone(`${client.name} is saved.`) });
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
              save.reset();
              setDraft({ ...draft, ...changed });
            }}
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
