import { Button, Flex, Group, Text } from '@mantine/core';
import { LockIcon } from '@primer/octicons-react';
import { clearAnswer, Form } from '../../components/Form';
import { confirm } from '../../components/confirm';
import { EditableFor, OnlyFor } from '../../components/OnlyFor';
import { messageOf } from '../../components/ErrorNotice';
import { showDone, showError } from '../../components/notices';
import { GenerateButton } from './GenerateButton';
import { cutOffBy, resetQuestion, wrongEntriesOf } from './setting-rules';
import { SettingControl } from './SettingControl';
import { type SettingFormProps, useDraft } from './use-draft';
import { useResetSetting, useSaveSetting } from './use-settings';

/** Form for a setting. The key of the endpoint can also be generated, and a change of it is confirmed first. */
export function SettingForm({ setting, onChangedChange }: SettingFormProps) {
  const { key, type, secret, version, locked, isSet } = setting;
  const { draft, setDraft, discard, endEdit, changed, value, problem } = useDraft({ setting, onChangedChange });
  const save = useSaveSetting(key, version);
  const reset = useResetSetting(key, version);
  const isKey = type === 'secret';

  const saveNow = () => {
    if (value === null) return;
    save.mutate(value, {
      onSuccess: () => {
        endEdit(draft);
        showDone(`${key} is saved.`);
      },
    });
  };
  const askToSave = () =>
    confirm({
      title: 'Use this key?',
      text: `It is stored as a hash and cannot be shown again.${cutOffBy(setting)}`,
      confirm: 'Save key',
      onConfirm: saveNow,
    });
  const dropDraft = () => {
    clearAnswer(save);
    discard();
  };
  const askToReset = () =>
    confirm({
      ...resetQuestion(setting),
      onConfirm: () =>
        reset.mutate(undefined, {
          onSuccess: () => {
            if (!isKey) dropDraft();
            showDone(secret ? `${key} is forgotten.` : `${key} is back to its default.`);
          },
          onError: showError,
        }),
    });
  return (
    <Form onSubmit={isKey && value !== null ? askToSave : saveNow}>
      <EditableFor role="admin">
        <Flex direction={{ base: 'column', sm: 'row' }} align={{ base: 'stretch', sm: 'end' }} gap="sm">
          <div style={{ flex: '1 1 auto', maxWidth: 560 }}>
            <SettingControl
              setting={setting}
              draft={draft}
              error={problem ?? (save.error && messageOf(save.error))}
              wrongEntries={wrongEntriesOf(save.error)}
              onChange={(next) => {
                clearAnswer(save);
                setDraft(next);
              }}
            />
          </div>
          {!locked && (
            <OnlyFor role="admin">
              <Group gap="xs">
                {isKey && <GenerateButton setting={setting} onGenerated={dropDraft} />}
                <Button
                  type="submit"
                  variant={isKey && !changed ? 'default' : 'filled'}
                  disabled={value === null}
                  loading={save.isPending}
                >
                  Save
                </Button>
                {changed && (
                  <Button variant="default" onClick={dropDraft}>
                    Discard
                  </Button>
                )}
                <Button variant="default" disabled={!isSet} loading={reset.isPending} onClick={askToReset}>
                  Reset
                </Button>
              </Group>
            </OnlyFor>
          )}
        </Flex>
        {locked && (
          <Text size="sm" mt="xs">
            <LockIcon size={14} aria-hidden /> Set by {setting.environmentVariable}. To change it here, remove that
            environment variable and restart the service.
          </Text>
        )}
      </EditableFor>
    </Form>
  );
}
