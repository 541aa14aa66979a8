import { NavLink } from '@mantine/core';
import { Link, useMatch, useResolvedPath } from 'react-router';
import { OnlyFor } from '../../components/OnlyFor';
import { type PageDefinition, pages } from '../../pages';

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  return pages
    .filter(({ isElsewhere }) => !isElsewhere)
    .map((page) => (
      <OnlyFor key={page.path} role={page.role ?? 'viewer'}>
        <PageLink page={page} onNavigate={onNavigate} />
      </OnlyFor>
    ));
}

function PageLink({ page, onNavigate }: { page: PageDefinition; onNavigate: () => void }) {
  const { pathname } = useResolvedPath(`/${page.path}`);
  const isCurrent = useMatch({ path: pathname, end: page.path === '' }) !== null;
  return (
    <NavLink
      component={Link}
      to={pathname}
      label={page.title}
      leftSection={<page.icon size={18} aria-hidden />}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onNavigate}
    />
  );
}
