import { Fragment } from 'react';
import { TextLink } from '../../components/TextLink';

interface PolicyLinksProps {
  policies: readonly string[];
  /** The policy in the editor: there is no need to go there. */
  shown?: string | undefined;
}

/** Names policies, each with a link to it. */
export function PolicyLinks({ policies, shown }: PolicyLinksProps) {
  return policies.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      {name === shown ? 'this policy' : <TextLink to={`/policies/${encodeURIComponent(name)}`}>{name}</TextLink>}
    </Fragment>
  ));
}
