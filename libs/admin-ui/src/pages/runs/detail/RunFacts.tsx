import { Paper } from '@mantine/core';
import { Caller } from '../../../components/Caller';
import { Facts } from '../../../components/Facts';
import { Ago, Until } from '../../../components/Moment';
import { TextLink } from '../../../components/TextLink';
import { formatTook } from '../../../text/format';
import { RunState } from '../RunState';
import type { RunSummary } from '../use-runs';

const ORIGINS: Record<RunSummary['origin'], string> = {
  call: 'A call of the tool',
  schedule: 'Its schedule',
  event: 'An event',
  admin: 'An administrator',
  parent: 'Another run',
  repeat: 'A repetition of another run',
};

export function RunFacts({ run }: { run: RunSummary }) {
  const { program, name, version, origin, client, parent, wakeAt, createdAt, endedAt, id } = run;
  return (
    <Paper withBorder p="md">
      <Facts
        facts={{
          State: <RunState run={run} />,
          [program === 'workflow' ? 'Workflow' : 'Skill']: (
            <>
              <TextLink to={`/${program === 'workflow' ? 'workflows' : 'skills'}/${encodeURIComponent(name)}`}>
                {name}
              </TextLink>
              {version !== null && ` ${version}`}
            </>
          ),
          'Started by': (
            <>
              {ORIGINS[origin]}, as <Caller name={client} />
            </>
          ),
          'Part of': parent && <TextLink to={`/runs/${encodeURIComponent(parent)}`}>{`Run ${parent}`}</TextLink>,
          Started: <Ago at={createdAt} />,
          Continues: wakeAt && endedAt === null ? <Until at={wakeAt} /> : null,
          Ended: endedAt && <Ago at={endedAt} />,
          Took: endedAt && formatTook(Date.parse(endedAt) - Date.parse(createdAt)),
          Resource: `run://${id}`,
        }}
      />
    </Paper>
  );
}
