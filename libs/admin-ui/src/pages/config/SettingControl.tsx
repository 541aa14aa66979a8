import { type InputWrapperProps, NumberInput, PasswordInput, TagsInput, TextInput } from '@mantine/core';
import { type Draft, factsOf } from './setting-rules';
import type { Setting } from './use-settings';

interface SettingControlProps {
  setting: Setting;
  draft: Draft;
  error: string | null;
  onChange: (draft: Draft) => void;
}

/** The field that fits the type of a setting. The service says what it refuses, so that nothing is corrected silently. */
export function SettingControl({ setting, draft, error, onChange }: SettingControlProps) {
  const shared = {
    label: setting.key,
    description: factsOf(setting, draft),
    error: error ?? setting.problem,
    // Not disabled: what the environment decided should be readable.
    readOnly: setting.locked,
    // The error above the field, so that the buttons stay beside it.
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
            ? 'Enter another key to replace the one that is set.'
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
