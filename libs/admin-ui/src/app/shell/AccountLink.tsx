import { Button, Text } from '@mantine/core';
import { PersonIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { useSession } from '../../api/session';

/** Link to the user's own account, labelled with their name. */
export function AccountLink() {
  const user = useSession().data?.user ?? '';
  return (
    <Button component={Link} to="/account" variant="default" px="xs" aria-label={`Your account: ${user}`} maw={200}>
      <PersonIcon size={18} aria-hidden />
      <Text span visibleFrom="xs" ml={6} size="sm" truncate>
        {user}
      </Text>
    </Button>
  );
}
