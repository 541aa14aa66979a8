import { type InputWrapperProps, NumberInput, PasswordInput, TagsInput, TextInput } from '@mantine/core';
import { type Draft, factsOf } from './setting-rules';
import type { Setting } from './use-settings';

interface SettingControlProps {
  setting: Setting;
  draft: Draft;
  error: string | null;
  onChange: (draft: Draft) => void;
}

/** Shows the field for the type of a setting. The service refuses bad values; the field does not correct them silently. */
export function SettingControl({ setting, draft, error, onChange }: SettingControlProps) {
  const shared = {
    label: setting.key,
    description: factsOf(setting, draft),
    error: error ?? setting.problem,
    // Read-only instead of disabled, so that a value of the environment stays readable.
    readOnly: setting.locked,
    // The error is above the field, so that the buttons stay beside the field.
    inputWrapperOrder: ['label', 'description', 'error', 'input'] satisfies InputWrapperProps['inputWrapperOrder'],
  };
  if (setting.type === 'integer') {
    return (
      <NumberInput
        {...shared}
        value={Array.isArray(draft) ? '' : draft}
        min={setting.minimum}
        max={setting.maximum}
        clampBehavior="none"
        allowDecimal={false}
        onChange={onChange}
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
        onChange={onChange}
      />
    );
  }
  if (setting.type === 'credential') {
    return (
      <PasswordInput
        {...shared}
        description={
          setting.isSet
            ? 'Enter a new key to replace the current one.'
            : 'It is stored encrypted and cannot be shown again.'
        }
        autoComplete="new-password"
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
