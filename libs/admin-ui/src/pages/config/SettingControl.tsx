import { type InputWrapperProps, NativeSelect, PasswordInput, Pill, TagsInput, TextInput } from '@mantine/core';
import { type Draft, factsOf } from './setting-rules';
import type { Setting } from './use-settings';

interface SettingControlProps {
  setting: Setting;
  draft: Draft;
  error: string | null;
  /** Positions of the invalid entries of a list. */
  wrongEntries: readonly number[];
  onChange: (draft: Draft) => void;
}

/** Shows the field for the type of a setting. The service refuses invalid values; the field does not correct them silently. */
export function SettingControl({ setting, draft, error, wrongEntries, onChange }: SettingControlProps) {
  const shared = {
    label: setting.key,
    description: factsOf(setting, draft),
    error: error ?? setting.problem,
    // Read-only instead of disabled, so that a value from the environment stays readable.
    readOnly: setting.locked,
    // The error is above the field, so that the buttons stay next to the field.
    inputWrapperOrder: ['label', 'description', 'error', 'input'] satisfies InputWrapperProps['inputWrapperOrder'],
  };
  if (setting.choices) {
    return (
      <NativeSelect
        {...shared}
        disabled={setting.locked}
        data={setting.choices}
        value={String(draft)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (setting.type === 'string_list') {
    return (
      <TagsInput
        {...shared}
        placeholder="Press Enter after each entry"
        value={Array.isArray(draft) ? draft : []}
        acceptValueOnBlur
        renderPill={({ value, onRemove, disabled }) => {
          const isWrong = wrongEntries.some((index) => draft[index] === value);
          return (
            <Pill
              withRemoveButton={!disabled && !setting.locked}
              onRemove={onRemove}
              {...(isWrong && { bg: 'red.1', c: 'red.9', fw: 700 })}
              data-wrong={isWrong || undefined}
            >
              {value}
            </Pill>
          );
        }}
        onChange={onChange}
      />
    );
  }
  if (setting.secret) {
    const isKey = setting.type === 'secret';
    const unset = isKey ? 'Enter a key, or generate one.' : 'It is stored encrypted and cannot be shown again.';
    return (
      <PasswordInput
        {...shared}
        description={setting.isSet ? 'Enter a new key to replace the current one.' : unset}
        autoComplete="new-password"
        disabled={isKey && setting.locked}
        value={String(draft)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      value={Array.isArray(draft) ? '' : draft}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
