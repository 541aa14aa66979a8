import { clearAnswer } from '../../components/clear-answer';
import { OnlyFor } from '../../components/OnlyFor';
import { EditableFor } from '../../components/EditableFor';
import { Button, PasswordInput } from '@mantine/core';
import { type SubmitEvent, useRef } from 'react';
import { useNavigate } from 'react-router';
import { offerKey } from '../connect/new-key';
import { confirm } from '../../components/confirm';
import { messageOf } from '../../components/ErrorNotice';
import { showDone, showError } from '../../components/notices';
import { showOnce } from '../../components/show-once';
import { LockedNotice } from './LockedNotice';
import { SettingRow } from './SettingRow';
import { type SettingFormProps, useDraft } from './use-draft';
import { useGenerateSecret, useResetSetting, useSaveSetting } from './use-settings';

/** Form for a secret, which can be generated, entered or deleted, but not read. */
export function SecretSettingForm({ setting, onChangedChange }: SettingFormProps) {
  const { draft, setDraft, discard, endEdit, changed, value, problem } = useDraft({ setting, onChangedChange });
  const navigate = useNavigate();
  const save = useSaveSetting(setting.key, setting.version);
  const reset = useResetSetting(setting.key, setting.version);
  const generate = useGenerateSecret(setting.key);
  const generateButton = useRef<HTMLButtonElement>(null);
  const cutsOff = setting.isSet
    ? ' Clients that use the current key are disconnected at once, until they have the new one.'
    : '';

  const showNew = (key: string) => {
    discard();
    clearAnswer(save);
    showOnce({
      title: 'Your new key',
      text: 'Copy it now: it cannot be shown again. Clients send it as a bearer token.',
      secret: key,
      onClose: () => generateButton.current?.focus(),
      next: {
        label: 'Connect an assistant',
        go: () => {
          offerKey(key);
          void navigate('/connect');
        },
      },
    });
  };
  const askToGenerate = () =>
    confirm({
      title: 'Generate a new key?',
      text: `The key is shown only once: be ready to store it.${cutsOff}`,
      confirm: 'Generate new key',
      onConfirm: () => void generate.mutateAsync().then(({ value }) => showNew(value), showError),
    });
  const askToSave = (event: SubmitEvent) => {
    event.preventDefault();
    if (value === null) return;
    confirm({
      title: 'Use this key?',
      text: `It is stored as a hash and cannot be shown again.${cutsOff}`,
      confirm: 'Save key',
      onConfirm: () =>
        save.mutate(value, {
          onSuccess: () => {
            endEdit(draft);
            showDone(`${setting.key} is saved.`);
          },
        }),
    });
  };
  const askToReset = () =>
    confirm({
      title: 'Forget the key?',
      text: 'From now on, no client can use the endpoint with this key.',
      confirm: 'Forget key',
      onConfirm: () =>
        reset.mutate(undefined, { onSuccess: () => showDone(`${setting.key} is forgotten.`), onError: showError }),
    });
  return (
    <form onSubmit={askToSave} noValidate>
      <EditableFor role="admin">
        <SettingRow
          control={
            <PasswordInput
              label={setting.key}
              description={
                setting.isSet ? 'Enter a new key to replace the current one.' : 'Enter a key, or generate one.'
              }
              autoComplete="new-password"
              disabled={setting.locked}
              value={String(draft)}
              error={problem ?? (save.error && messageOf(save.error))}
              inputWrapperOrder={['label', 'description', 'error', 'input']}
              onChange={(event) => {
                clearAnswer(save);
                setDraft(event.currentTarget.value);
              }}
            />
          }
          buttons={
            !setting.locked && (
              <OnlyFor role="admin">
                <Button
                  ref={generateButton}
                  variant={setting.isSet ? 'default' : 'filled'}
                  loading={generate.isPending}
                  onClick={askToGenerate}
                >
                  Generate
                </Button>
                <Button
                  type="submit"
                  variant={changed ? 'filled' : 'default'}
                  disabled={value === null}
                  loading={save.isPending}
                >
                  Save
                </Button>
                {changed && (
                  <Button
                    variant="default"
                    onClick={() => {
                      clearAnswer(save);
                      discard();
                    }}
                  >
                    Discard
                  </Button>
                )}
                <Button variant="default" disabled={!setting.isSet} loading={reset.isPending} onClick={askToReset}>
                  Reset
                </Button>
              </OnlyFor>
            )
          }
        />
        {setting.locked && <LockedNotice setting={setting} />}
      </EditableFor>
    </form>
  );
}
