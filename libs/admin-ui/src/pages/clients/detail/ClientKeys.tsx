import { Button, Code, Group, Select } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../../api/session';
import { confirm } from '../../../components/confirm';
import { type Columns, DataTable } from '../../../components/DataTable';
import { Ago, Until } from '../../../components/Moment';
import { showOutcome } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { RowButton } from '../../../components/RowButton';
import { Section } from '../../../components/Section';
import { type Client, type ClientKey, useRevokeKey, useRotateKey } from '../use-clients';

const OVERLAPS = [
  { value: '0', label: 'Ends at once' },
  { value: '1', label: 'Valid for 1 more hour' },
  { value: '24', label: 'Valid for 1 more day' },
  { value: '168', label: 'Valid for 7 more days' },
  { value: '720', label: 'Valid for 30 more days' },
];

/** The keys of a client: one, or during a rotation two. */
export function ClientKeys({ client: { name, keys } }: { client: Client }) {
  const may = useMay('admin');
  return (
    <Section title="Keys" about="A new key is shown once. The previous key stays valid for the time you choose.">
      <DataTable
        label="Keys"
        columns={may ? { ...COLUMNS, Actions: (key) => <RevokeKeyButton name={name} clientKey={key} /> } : COLUMNS}
        rows={keys}
        keyOf={({ id }) => id}
      />
      <OnlyFor role="admin">
        <NewKey name={name} />
      </OnlyFor>
    </Section>
  );
}

const COLUMNS: Columns<ClientKey> = {
  Key: ({ shown }) => <Code>{shown}…</Code>,
  Made: ({ createdAt }) => <Ago at={createdAt} />,
  Ends: ({ expiresAt }) => (expiresAt === null ? 'With the client' : <Until at={expiresAt} />),
};

function NewKey({ name }: { name: string }) {
  const [overlap, setOverlap] = useState('24');
  const rotate = useRotateKey(name);
  return (
    <Group align="end" mt="sm">
      <Select
        label="The previous key"
        data={OVERLAPS}
        allowDeselect={false}
        value={overlap}
        onChange={(value) => setOverlap(value ?? overlap)}
      />
      <Button variant="default" loading={rotate.isPending} onClick={() => rotate.mutate(Number(overlap))}>
        Create new key
      </Button>
    </Group>
  );
}

function RevokeKeyButton({ name, clientKey: { id, shown } }: { name: string; clientKey: ClientKey }) {
  const revoke = useRevokeKey(name);
  const ask = () =>
    confirm({
      title: `Revoke the key ${shown}…?`,
      text: 'Its sessions, streams and running calls end at once. Sessions of its other key stay open.',
      confirm: 'Revoke key',
      onConfirm: () => showOutcome(revoke.mutateAsync(id), 'The key is revoked.'),
    });
  return (
    <RowButton of={shown} isBusy={revoke.isPending} onClick={ask}>
      Revoke
    </RowButton>
  );
}
