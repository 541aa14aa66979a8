import { AppShell, Burger, Group, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useMay } from '../../api/session';
import { closeQuestions } from '../../components/confirm';
import { AccountLink } from './AccountLink';
import { ColorSchemeSwitch } from './ColorSchemeSwitch';
import { LogOutButton } from './LogOutButton';
import { Navigation } from './Navigation';
import classes from './Shell.module.css';

export function Shell() {
  const [isOpen, menu] = useDisclosure();
  const main = useAfterNavigation(menu.close);
  const hasNavigation = useMay('viewer');
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen, desktop: !hasNavigation } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#main" className={classes.skipLink}>
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px={{ base: 'xs', xs: 'md' }} justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            {hasNavigation && (
              <Burger
                opened={isOpen}
                onClick={menu.toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
                aria-expanded={isOpen}
              />
            )}
            <Text fw={700} size="lg" lh={1.1}>
              Agent Service
            </Text>
          </Group>
          <Group gap={6} wrap="nowrap">
            <ColorSchemeSwitch />
            <AccountLink />
            <LogOutButton />
          </Group>
        </Group>
      </AppShell.Header>
      {hasNavigation && (
        <AppShell.Navbar p="sm" aria-label="Main" className={classes.navigation} mod={{ closed: !isOpen }}>
          <Navigation onNavigate={menu.close} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        <div className={classes.page}>
          <Suspense fallback={<Loader aria-label="Loading" />}>
            <Outlet />
          </Suspense>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Closes everything that belongs to the previous page, and announces the new one to users of keyboards and screen readers. */
function useAfterNavigation(closeMenu: () => void) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    closeMenu();
    closeQuestions();
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname, closeMenu]);
  return main;
}
