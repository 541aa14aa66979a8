import { Badge, NavLink, Text } from '@mantine/core';
import { Link, useMatch, useResolvedPath } from 'react-router';
import { useQuestions } from '../../api/questions';
import { OnlyFor } from '../../components/OnlyFor';
import { type PageDefinition, pages } from '../../pages';
import classes from './Shell.module.css';

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const shown = pages.filter(({ isElsewhere }) => !isElsewhere);
  return [...Map.groupBy(shown, ({ part }) => part)].map(([part, ofPart]) => (
    <div key={part ?? ''} role={part && 'group'} aria-label={part} className={classes.part}>
      {part && (
        <Text size="xs" c="dimmed" px="sm" aria-hidden>
          {part}
        </Text>
      )}
      {ofPart.map((page) => (
        <OnlyFor key={page.path} role={page.role ?? 'viewer'}>
          <PageLink page={page} onNavigate={onNavigate} />
        </OnlyFor>
      ))}
    </div>
  ));
}

function PageLink({ page, onNavigate }: { page: PageDefinition; onNavigate: () => void }) {
  const { pathname } = useResolvedPath(`/${page.path}`);
  const isCurrent = useMatch({ path: pathname, end: page.path === '' }) !== null;
  return (
    <NavLink
      component={Link}
      to={pathname}
      py={{ base: 8, sm: 4 }}
      label={page.title}
      leftSection={<page.icon size={18} aria-hidden />}
      rightSection={page.path === 'runs' ? <QuestionCount /> : null}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onNavigate}
    />
  );
}

/** Number of open questions. */
function QuestionCount() {
  const { data: { count = 0 } = {} } = useQuestions();
  if (count === 0) return null;
  return (
    <Badge color="orange" size="sm" aria-label={`${count} waiting for an answer`}>
      {count > 99 ? '99+' : count}
    </Badge>
  );
}
