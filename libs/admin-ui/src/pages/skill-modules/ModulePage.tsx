import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { confirm } from '../../components/confirm';
import { Facts } from '../../components/Facts';
import { Ago } from '../../components/Moment';
import { showDone, showError } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { TextLink } from '../../components/TextLink';
import { ModuleApproval } from './ModuleApproval';
import { ModuleCode } from './ModuleCode';
import { ModuleProblems } from './ModuleProblems';
import { ModuleSettings } from './ModuleSettings';
import { ModuleState } from './ModuleState';
import { ModuleSwitch } from './ModuleSwitch';
import { type RefusedFile, UploadModules } from './UploadModules';
import { type FullModule, useModule, useRemoveModule } from './use-modules';

export default function ModulePage() {
  const { name = '' } = useParams();
  const query = useModule(name);
  const one = query.data;
  const [refused, setRefused] = useState<RefusedFile | null>(null);
  return (
    <>
      <TextLink to="/skill-modules">All skill modules</TextLink>
      <PageHeader title={name} actions={one?.source === 'upload' && <Actions one={one} onRefused={setRefused} />} />
      <Stack>
        <QueryState query={query} height={160} />
        {refused && <ModuleProblems problems={refused.problems} />}
        {one && (
          <>
            <ModuleProblems problems={one.problems} />
            {one.isWaiting && <ModuleApproval one={one} />}
            <ModuleFacts one={one} />
            <ModuleSettings key={`settings of ${name}`} name={name} />
            <ModuleCode key={name} one={one} />
          </>
        )}
      </Stack>
    </>
  );
}

function ModuleFacts({ one }: { one: FullModule }) {
  const { source, file, version, updatedAt, updatedBy, uses } = one;
  const listed = (entries: readonly string[]) => (entries.length > 0 ? entries.join(', ') : null);
  const facts = [
    { title: 'Enabled', value: <ModuleSwitch item={one} /> },
    { title: 'State', value: <ModuleState item={one} /> },
    { title: 'Skills', value: <SkillLinks one={one} /> },
    { title: 'Newest version', value: version },
    { title: 'Source', value: source === 'folder' ? `${file} in SKILLS_DIR: change it there` : `Upload of ${file}` },
    {
      title: 'Changed',
      value: (
        <span>
          <Ago at={updatedAt} />
          {updatedBy !== null && ` by ${updatedBy}`}
        </span>
      ),
    },
    { title: 'Asks hosts', value: listed(uses.hosts) },
    { title: 'Calls skills', value: listed(uses.skills) },
    { title: 'Sends secrets', value: listed(uses.secrets) },
    { title: 'Reads databases', value: listed(uses.databases) },
    { title: 'Keeps a state', value: uses.state ? 'Yes' : null },
  ];
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}

function SkillLinks({ one: { skillNames, offered } }: { one: FullModule }) {
  if (offered === null) return skillNames.join(', ');
  return (
    <Group gap="xs">
      {skillNames.map((name) => (
        <TextLink key={name} to={`/skills/${name}`}>
          {name}
        </TextLink>
      ))}
    </Group>
  );
}

function Actions({ one: { name }, onRefused }: { one: FullModule; onRefused: (refused: RefusedFile | null) => void }) {
  const navigate = useNavigate();
  const remove = useRemoveModule(name);
  const ask = () =>
    confirm({
      title: `Remove ${name}?`,
      text: 'Clients no longer get its skills. Its versions and what it keeps are deleted.',
      confirm: 'Remove module',
      onConfirm: () =>
        remove.mutate(undefined, {
          onSuccess: () => {
            showDone(`${name} is removed.`);
            void navigate('/skill-modules', { replace: true });
          },
          onError: showError,
        }),
    });
  return (
    <OnlyFor role="admin">
      <Group gap="xs">
        <Button component={Link} to={`/audit?q=${encodeURIComponent(name)}`} variant="default">
          Who changed it
        </Button>
        <UploadModules onRefused={onRefused} />
        <Button variant="default" loading={remove.isPending} onClick={ask}>
          Remove
        </Button>
      </Group>
    </OnlyFor>
  );
}
