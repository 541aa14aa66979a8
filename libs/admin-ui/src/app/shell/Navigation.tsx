import { NavLink } from '@mantine/core';
import { Link, useMatch, useResolvedPath } from 'react-router';
import { type PageDefinition, pages } from '../../pages';

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  return pages.map((page) => <PageLink key={page.path} page={page} onNavigate={onNavigate} />);
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
