import { Badge, Group, NativeSelect, Text } from '@mantine/core';
import { type Role, useSession } from '../../api/session';
import { confirm } from '../../components/confirm';
import { type Column, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { showDone, showError } from '../../components/notices';
import { RowButton } from '../../components/RowButton';
import { Tags } from '../../components/Tags';
import { TextLink } from '../../components/TextLink';
import { ROLE_OPTIONS } from './role-options';
import {
  type Administrator,
  BUILT_IN,
  useDeleteAdministrator,
  useSetPassword,
  useUpdateAccount,
} from './use-administrators';

const COLUMNS: readonly Column<Administrator>[] = [
  { title: 'Name', render: (administrator) => <NameCell administrator={administrator} /> },
  { title: 'Role', render: (administrator) => <RoleSelect administrator={administrator} /> },
  { title: 'Groups', render: ({ groups }) => <Tags tags={groups} /> },
  { title: 'Last login', render: ({ lastLoginAt }) => (lastLoginAt ? <Ago at={lastLoginAt} /> : 'Never') },
  {
    title: 'Password',
    render: ({ hasPassword, hasFixedPassword, passwordChangedAt }) =>
      !hasPassword ? 'Single sign-on' : hasFixedPassword ? 'Set by ADMIN_PASSWORD' : <Ago at={passwordChangedAt} />,
  },
  { title: 'Actions', render: (administrator) => <Actions administrator={administrator} /> },
];

export function AdministratorsTable({ administrators }: { administrators: readonly Administrator[] }) {
  return <DataTable label="Accounts" columns={COLUMNS} rows={administrators} keyOf={({ name }) => name} />;
}

function NameCell({ administrator: { name, disabled } }: { administrator: Administrator }) {
  const isYou = useSession().data?.user === name;
  return (
    <Group gap={6}>
      <TextLink to={`/administrators/${encodeURIComponent(name)}`}>{name}</TextLink>
      {isYou && <Badge>You</Badge>}
      {disabled && <Badge color="gray">Disabled</Badge>}
    </Group>
  );
}

function RoleSelect({ administrator: { name, role } }: { administrator: Administrator }) {
  const save = useUpdateAccount(name);
  const ask = (next: Role) =>
    confirm({
      title: `Make ${name} ${/^[ae]/.test(next) ? 'an' : 'a'} ${next}?`,
      text: 'The sessions of this account end, and its next login has the new role.',
      confirm: 'Change role',
      onConfirm: () =>
        save.mutate(
          { role: next },
          { onSuccess: () => showDone(`${name} has the role ${next} now.`), onError: showError },
        ),
    });
  if (name === BUILT_IN) return <Text size="sm">Admin: everything</Text>;
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role: ${name}`}
      data={ROLE_OPTIONS}
      value={role}
      disabled={save.isPending}
      onChange={(event) => ask(event.currentTarget.value as Role)}
    />
  );
}

function Actions({ administrator: { name } }: { administrator: Administrator }) {
  const password = useSetPassword(name);
  const remove = useDeleteAdministrator(name);
  const isYou = useSession().data?.user === name;
  const askForPassword = () =>
    confirm({
      title: `Make a new password for ${name}?`,
      text: 'The current password stops working, and all sessions of this account are signed out.',
      confirm: 'Make new password',
      onConfirm: () => password.mutate(),
    });
  const askToRemove = () =>
    confirm({
      title: `Delete ${name}?`,
      text: 'Its sessions end, and scripts that use it are refused.',
      confirm: 'Delete account',
      onConfirm: () => void remove.mutateAsync().then(() => showDone(`${name} is deleted.`), showError),
    });
  if (isYou) return <TextLink to="/account">Your account</TextLink>;
  if (name === BUILT_IN) return null;
  return (
    <Group gap="xs">
      <RowButton of={name} isBusy={password.isPending} onClick={askForPassword}>
        New password
      </RowButton>
      <RowButton of={name} isBusy={remove.isPending} onClick={askToRemove}>
        Delete
      </RowButton>
    </Group>
  );
}
