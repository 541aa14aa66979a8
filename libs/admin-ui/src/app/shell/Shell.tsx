import { ActionIcon, AppShell, Burger, Button, Group, Loader, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { DeviceDesktopIcon, MoonIcon, PersonIcon, SunIcon } from '@primer/octicons-react';
import { useLogOut, useMay, useSession } from '../../api/session';
import { closeQuestions, confirm } from '../../components/confirm';
import { Navigation } from './Navigation';
import classes from './Shell.module.css';
import { showError } from '../../components/notices';
import { discardUnsavedChanges, hasUnsavedChanges } from '../../components/use-unsaved-changes';

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

/** Link to the user's own account, labelled with their name. */
function AccountLink() {
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

const SCHEMES = {
  auto: { icon: DeviceDesktopIcon, next: 'light', label: 'System colors' },
  light: { icon: SunIcon, next: 'dark', label: 'Light colors' },
  dark: { icon: MoonIcon, next: 'auto', label: 'Dark colors' },
} as const;

function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon: Icon, next, label } = SCHEMES[colorScheme];
  const says = `${label}. Switch to: ${SCHEMES[next].label.toLowerCase()}`;
  return (
    <ActionIcon variant="default" size="lg" title={says} aria-label={says} onClick={() => setColorScheme(next)}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}

function LogOutButton() {
  const logOut = useLogOut({ onLoggedOut: discardUnsavedChanges });
  const end = () => logOut.mutate(undefined, { onError: showError });
  // Ask before the session ends: a user who stays must be able to save.
  const ask = () =>
    confirm({
      title: 'Log out without saving?',
      text: 'Some changes on this page are not saved. They are lost when you log out.',
      confirm: 'Log out',
      cancel: 'Stay',
      onConfirm: end,
    });
  return (
    <Button variant="default" loading={logOut.isPending} onClick={() => (hasUnsavedChanges() ? ask() : end())}>
      Log out
    </Button>
  );
}
