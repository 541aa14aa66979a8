import { Alert, Button, Group, List, Stack } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useMemo } from 'react';
import { isOutdated as isRefused } from '../../api/api-error';
import { Fields } from '../../components/arguments-form/Fields';
import { ChangedMeanwhile } from '../../components/ChangedMeanwhile';
import { confirm } from '../../components/confirm';
import { EditableFor, OnlyFor } from '../../components/OnlyFor';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Form } from '../../components/Form';
import { showDone, showError } from '../../components/notices';
import { Section } from '../../components/Section';
import { useUnsavedDraft } from '../../components/use-unsaved-changes';
import { fieldsOf } from '../../json-schema/field';
import { problemFinder } from '../../json-schema/schema-problems';
import type { Json } from '../../mcp/json-rpc';
import { formSchemaOf } from './form-schema';
import { type ModuleSettings as Settings, useGiveModuleSettings, useModuleSettings } from './use-modules';

/** Shows the declared settings of a module, if any, in a form generated from their types. */
export function ModuleSettings({ name }: { name: string }) {
  const { data, error, refetch } = useModuleSettings(name);
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data && fieldsOf(data.schema).length > 0 && <SettingsForm name={name} settings={data} />}
    </>
  );
}

function SettingsForm({ name, settings }: { name: string; settings: Settings }) {
  const { schema, misfits, version } = settings;
  const values: Json = settings.values;
  const save = useGiveModuleSettings(name, version);
  const edit = useUnsavedDraft(values, save);
  const { draft, setDraft, discard, endEdit, hasChanges, isOutdated } = edit;
  const form = useMemo(() => formSchemaOf(schema), [schema]);
  const problems = useMemo(() => problemFinder(form)(draft), [form, draft]);
  const submit = () =>
    save.mutate(draft, { onSuccess: () => (endEdit(draft), showDone(`The settings of ${name} are saved.`)) });
  const askToReset = () =>
    confirm({
      title: `Reset the settings of ${name}?`,
      text: 'All of them get their defaults with the next call.',
      confirm: 'Reset them',
      onConfirm: () =>
        save.mutate(
          {},
          {
            onSuccess: () => (discard(), showDone(`The settings of ${name} are back to their defaults.`)),
            onError: showError,
          },
        ),
    });
  const isSet = Object.keys(values).length > 0 || misfits.length > 0;
  return (
    <Section title="Settings" about="A change takes effect with the next call. A field that is empty has its default.">
      <Form onSubmit={submit}>
        <Stack>
          <Misfits misfits={misfits} />
          <EditableFor role="admin">
            <Fields fields={fieldsOf(form)} value={draft} problems={problems} onChange={setDraft} />
          </EditableFor>
          <ChangedMeanwhile
            what="module's settings"
            consequence="Nothing is lost: choose which values to keep."
            edit={edit}
            textOf={textOf}
          />
          {save.error && !isRefused(save.error) && <ErrorNotice error={save.error} />}
          <OnlyFor role="admin">
            <Group gap="xs">
              <Button
                type="submit"
                loading={save.isPending}
                disabled={!hasChanges || isOutdated || problems.length > 0}
              >
                Save settings
              </Button>
              {hasChanges && (
                <Button variant="default" onClick={discard}>
                  Discard
                </Button>
              )}
              <Button variant="default" disabled={!isSet} onClick={askToReset}>
                Reset settings
              </Button>
            </Group>
          </OnlyFor>
        </Stack>
      </Form>
    </Section>
  );
}

function Misfits({ misfits }: Pick<Settings, 'misfits'>) {
  if (misfits.length === 0) return null;
  return (
    <Alert color="orange" icon={<AlertIcon aria-hidden />} title="Values that no longer fit">
      <List size="sm" listStyleType="none">
        {misfits.map(({ name, value, problem }) => (
          <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
            {`${name} was set to ${String(value)}, but ${problem} in this version: until you set it, it has its default.`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const textOf = (values: Json): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .sort()
    .join('\n');
