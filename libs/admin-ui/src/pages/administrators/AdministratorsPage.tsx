import { Badge, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type Role, useSession } from '../../api/session';
import { confirm } from '../../components/confirm';
import { type Columns, TablePanel } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Ago } from '../../components/Moment';
import { showOutcome } from '../../components/notices';
import { PageHeader } from '../../components/PageHeader';
import { RowButton } from '../../components/RowButton';
import { SearchField } from '../../components/SearchField';
import { Tags } from '../../components/Tags';
import { TextLink } from '../../components/TextLink';
import { useFoundRows } from '../../components/use-found-rows';
import { AddAdministratorForm } from './AddAdministratorForm';
import { ROLE_OPTIONS } from './role-options';
import {
  type Administrator,
  BUILT_IN,
  useAdministrators,
  useDeleteAdministrator,
  useSetPassword,
  useUpdateAccount,
} from './use-administrators';

const COLUMNS: Columns<Administrator> = {
  Name: (administrator) => <NameCell administrator={administrator} />,
  Role: (administrator) => <RoleSelect administrator={administrator} />,
  Groups: ({ groups }) => <Tags tags={groups} />,
  'Last login': ({ lastLoginAt }) => (lastLoginAt ? <Ago at={lastLoginAt} /> : 'Never'),
  Password: ({ hasPassword, hasFixedPassword, passwordChangedAt }) =>
    !hasPassword ? 'Single sign-on' : hasFixedPassword ? 'Set by ADMIN_PASSWORD' : <Ago at={passwordChangedAt} />,
  Actions: (administrator) => <Actions administrator={administrator} />,
};

const textsOf = ({ name, role, groups }: Administrator) => [name, role, ...groups];

export default function AdministratorsPage() {
  const query = useAdministrators();
  const { field, found, pages } = useFoundRows(query.data, textsOf);
  return (
    <>
      <PageHeader
        title="Accounts"
        about="The people of your team, and the scripts that administer this service. Give each an account of its own."
      />
      <Stack>
        <AddAdministratorForm />
        <SearchField label="Search accounts" placeholder="Part of a name, a role or a group" {...field} />
        <TablePanel
          label="Accounts"
          query={query}
          columns={COLUMNS}
          rows={found}
          keyOf={({ name }) => name}
          pages={pages}
          empty={<EmptyState title="No account found">Try a shorter search.</EmptyState>}
        />
      </Stack>
    </>
  );
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
      onConfirm: () => showOutcome(save.mutateAsync({ role: next }), `${name} now has the role ${next}.`),
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
      title: `Create a new password for ${name}?`,
      text: 'The current password stops working, and all sessions of this account are signed out.',
      confirm: 'Create new password',
      onConfirm: () => password.mutate(),
    });
  const askToRemove = () =>
    confirm({
      title: `Delete ${name}?`,
      text: 'Its sessions end, and scripts that use it are refused.',
      confirm: 'Delete account',
      onConfirm: () => showOutcome(remove.mutateAsync(), `${name} is deleted.`),
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
