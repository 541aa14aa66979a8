import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { DeleteButton } from '../../components/DeleteButton';
import { Facts } from '../../components/Facts';
import { LinkButton } from '../../components/LinkButton';
import { Changed } from '../../components/Moment';
import { OnlyFor } from '../../components/OnlyFor';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { TextLink } from '../../components/TextLink';
import type { RefusedFile } from '../../components/UploadButton';
import { ModuleApproval } from './ModuleApproval';
import { ModuleCode } from './ModuleCode';
import { ModuleProblems } from './ModuleProblems';
import { ModuleSettings } from './ModuleSettings';
import { ModuleState } from './ModuleState';
import { ModuleSwitch } from './ModuleSwitch';
import { UploadModules } from './UploadModules';
import { type FullModule, useModule, useRemoveModule } from './use-modules';

export default function ModulePage() {
  const { name = '' } = useParams();
  const query = useModule(name);
  const one = query.data;
  const [refused, setRefused] = useState<RefusedFile | null>(null);
  return (
    <>
      <TextLink to="/skill-modules">All skill modules</TextLink>
      <PageHeader title={name} actions={one && !one.isInFolder && <Actions one={one} onRefused={setRefused} />} />
      <Stack>
        <QueryState query={query} height={160} />
        {refused && <ModuleProblems problems={refused.problems.map(({ message }) => message)} />}
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
  const { version, updatedAt, updatedBy, uses } = one;
  const listed = (entries: readonly string[]) => (entries.length > 0 ? entries.join(', ') : null);
  const facts = {
    Enabled: <ModuleSwitch item={one} />,
    State: <ModuleState item={one} />,
    Skills: <SkillLinks one={one} />,
    'Newest version': version,
    Source: sourceOf(one),
    Changed: <Changed at={updatedAt} by={updatedBy} />,
    'Asks hosts': listed(uses.hosts),
    'Calls skills': listed(uses.skills),
    'Sends secrets': listed(uses.secrets),
    'Reads databases': listed(uses.databases),
    'Keeps a state': uses.state ? 'Yes' : null,
  };
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}

function sourceOf({ source, file, isInFolder }: FullModule): string {
  if (source === 'upload') return `Upload of ${file}`;
  return isInFolder ? `${file} in SKILLS_DIR: change it there` : `${file}, which is no longer in SKILLS_DIR`;
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

const UPLOAD_GOES = 'Clients no longer get its skills. Its versions and its state are deleted.';
const FILE_GOES = 'Clients no longer get its skills, unless its file comes back within 30 days.';

function Actions({ one, onRefused }: { one: FullModule; onRefused: (refused: RefusedFile | null) => void }) {
  const { name, source } = one;
  const isUpload = source === 'upload';
  return (
    <OnlyFor role="admin">
      <Group gap="xs">
        <LinkButton to={`/audit?q=${encodeURIComponent(name)}`}>Who changed it</LinkButton>
        {isUpload && <UploadModules onRefused={onRefused} />}
        <DeleteButton
          deletion={useRemoveModule(name)}
          title={`Remove ${name}?`}
          text={isUpload ? UPLOAD_GOES : FILE_GOES}
          confirm="Remove module"
          done={`${name} is removed.`}
          to="/skill-modules"
        >
          Remove
        </DeleteButton>
      </Group>
    </OnlyFor>
  );
}
