import { Anchor } from '@mantine/core';
import { PersonIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { useMay } from '../api/session';
import { accountOf } from './caller-name';

interface CallerProps {
  /** For example `ci`, or `person:ada` for somebody who signed in with a program. */
  name: string;
  /** Target of the link; by default the account of a person, for users who may see it. */
  to?: string;
}

/** Shows a caller: a client by its name, a person with an icon. */
export function Caller({ name, to }: CallerProps) {
  const maySeeAccounts = useMay('admin');
  const account = accountOf(name);
  const target = to ?? (account !== null && maySeeAccounts ? `/administrators/${encodeURIComponent(account)}` : null);
  const shown = account === null ? name : <Person account={account} />;
  if (target === null) return <span title={name}>{shown}</span>;
  return (
    <Anchor component={Link} to={target} underline="always" inherit title={name}>
      {shown}
    </Anchor>
  );
}

/** The icon is positioned outside of the text flow, because the line could break next to it. */
const Person = ({ account }: { account: string }) => (
  <span style={{ position: 'relative', paddingInlineStart: 20, overflowWrap: 'break-word' }}>
    <span style={{ position: 'absolute', insetInlineStart: 2 }}>
      <PersonIcon size={14} aria-label="Person" />
    </span>{' '}
    {account}
  </span>
);
