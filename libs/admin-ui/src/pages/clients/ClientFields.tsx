import { TagsInput, Textarea, TextInput } from '@mantine/core';
import { LimitFields } from './LimitFields';
import type { ClientDraft } from './client-draft';
import { useGroups } from './use-clients';

interface ClientFieldsProps {
  draft: ClientDraft;
  errors: ReadonlyMap<string, string>;
  onChange: (changed: Partial<ClientDraft>) => void;
}

const WIDTH = { base: '100%', xs: 400 };
const MOST_GROUPS = 32;
/** Without it, browsers take years of six digits. */
const LATEST = '9999-12-31T23:59:59';

/** Fields for the details of a client, new or existing. */
export function ClientFields({ draft, errors, onChange }: ClientFieldsProps) {
  const { data: groups = [] } = useGroups();
  return (
    <>
      <Textarea
        label="Note"
        description="Owner and purpose."
        autosize
        maxRows={6}
        maxLength={1_000}
        w={WIDTH}
        value={draft.note}
        error={errors.get('note')}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
      <TagsInput
        label="Groups"
        description="Policies name them. Press Enter after each."
        data={groups}
        maxTags={MOST_GROUPS}
        w={WIDTH}
        value={draft.groups}
        error={groupError(errors)}
        onChange={(chosen) => onChange({ groups: chosen.map((group) => group.trim()) })}
      />
      <TextInput
        label="Expires"
        description="Your local time. Leave empty for no expiry."
        type="datetime-local"
        max={LATEST}
        step={1}
        w={WIDTH}
        value={draft.expires}
        error={errors.get('expiresAt')}
        onChange={(event) => onChange({ expires: event.currentTarget.value })}
      />
      <LimitFields limits={draft} errors={errors} onChange={onChange} />
    </>
  );
}

const groupError = (errors: ReadonlyMap<string, string>): string | undefined =>
  [...errors].find(([path]) => path.startsWith('groups'))?.[1];
