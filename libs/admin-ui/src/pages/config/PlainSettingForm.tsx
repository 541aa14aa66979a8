import { clearAnswer } from '../../components/clear-answer';
import { OnlyFor } from '../../components/OnlyFor';
import { EditableFor } from '../../components/EditableFor';
import { Button } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { confirm } from '../../components/confirm';
import { messageOf } from '../../components/ErrorNotice';
import { showDone, showError } from '../../components/notices';
import { LockedNotice } from './LockedNotice';
import { whatReset, wrongEntriesOf } from './setting-rules';
import { SettingControl } from './SettingControl';
import { SettingRow } from './SettingRow';
import { type SettingFormProps, useDraft } from './use-draft';
import { useResetSetting, useSaveSetting } from './use-settings';

export function PlainSettingForm({ setting, onChangedChange }: SettingFormProps) {
  const { draft, setDraft, discard, endEdit, changed, value, problem } = useDraft({ setting, onChangedChange });
  const save = useSaveSetting(setting.key, setting.version);
  const reset = useResetSetting(setting.key, setting.version);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (value === null) return;
    save.mutate(value, {
      onSuccess: () => {
        endEdit(draft);
        showDone(`${setting.key} is saved.`);
      },
    });
  };
  const dropDraft = () => {
    clearAnswer(save);
    discard();
  };
  const askToReset = () =>
    confirm({
      title: setting.secret ? `Forget ${setting.key}?` : `Reset ${setting.key}?`,
      text: setting.secret ? 'It cannot be shown again.' : whatReset(setting),
      confirm: setting.secret ? 'Forget it' : 'Reset it',
      onConfirm: () =>
        reset.mutate(undefined, {
          onSuccess: () => {
            dropDraft();
            showDone(setting.secret ? `${setting.key} is forgotten.` : `${setting.key} is back to its default.`);
          },
          onError: showError,
        }),
    });
  return (
    <form onSubmit={submit} noValidate>
      <EditableFor role="admin">
        <SettingRow
          control={
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
          }
          buttons={
            !setting.locked && (
              <OnlyFor role="admin">
                <Button type="submit" disabled={value === null} loading={save.isPending}>
                  Save
                </Button>
                {changed && (
                  <Button variant="default" onClick={dropDraft}>
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
