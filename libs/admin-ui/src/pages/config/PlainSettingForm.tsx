import { OnlyFor } from '../../components/OnlyFor';
import { EditableFor } from '../../components/EditableFor';
import { Button } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { messageOf } from '../../components/ErrorNotice';
import { showDone, showError } from '../../components/notices';
import { LockedNotice } from './LockedNotice';
import { SettingControl } from './SettingControl';
import { SettingRow } from './SettingRow';
import { type SettingFormProps, useDraft } from './use-draft';
import { useResetSetting, useSaveSetting } from './use-settings';

export function PlainSettingForm({ setting, onChangedChange }: SettingFormProps) {
  const { draft, setDraft, discard, changed } = useDraft({ setting, onChangedChange });
  const save = useSaveSetting(setting.key, setting.version);
  const reset = useResetSetting(setting.key, setting.version);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(draft, {
      onSuccess: () => {
        discard();
        showDone(`${setting.key} is saved.`);
      },
    });
  };
  const backToDefault = () => {
    save.reset();
    reset.mutate(undefined, {
      onSuccess: () => {
        discard();
        showDone(setting.secret ? `${setting.key} is forgotten.` : `${setting.key} is back to its default.`);
      },
      onError: showError,
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <EditableFor role="admin">
        <SettingRow
          control={
            <SettingControl
              setting={setting}
              draft={draft}
              error={save.error && messageOf(save.error)}
              onChange={(next) => {
                save.reset();
                setDraft(next);
              }}
            />
          }
          buttons={
            !setting.locked && (
              <OnlyFor role="admin">
                <Button type="submit" disabled={!changed} loading={save.isPending}>
                  Save
                </Button>
                <Button
                  variant="default"
                  disabled={!setting.isSet && !changed}
                  loading={reset.isPending}
                  onClick={backToDefault}
                >
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
