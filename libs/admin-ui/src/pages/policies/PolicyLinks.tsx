import { Fragment } from 'react';
import { TextLink } from '../../components/TextLink';

interface PolicyLinksProps {
  policies: readonly string[];
  /** The policy in the editor, which needs no link. */
  shown?: string | undefined;
}

/** Lists policies with links. */
export function PolicyLinks({ policies, shown }: PolicyLinksProps) {
  return policies.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      {name === shown ? 'this policy' : <TextLink to={`/policies/${encodeURIComponent(name)}`}>{name}</TextLink>}
    </Fragment>
  ));
}
