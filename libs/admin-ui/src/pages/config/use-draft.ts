import { useEffect, useState } from 'react';
import { checkDraft, type Draft, draftOf, isChanged } from './setting-rules';
import type { Setting } from './use-settings';

export interface SettingFormProps {
  setting: Setting;
  /** Called when the value becomes changed or unchanged. */
  onChangedChange: (key: string, isChanged: boolean) => void;
}

/** Holds the input for a setting until it is saved or discarded. */
export function useDraft({ setting, onChangedChange }: SettingFormProps) {
  const [draft, setDraft] = useState<Draft | null>(null); // null = untouched: follows the saved value
  const current = draft ?? draftOf(setting);
  const changed = isChanged(setting, current);

  useEffect(() => {
    onChangedChange(setting.key, changed);
    return () => onChangedChange(setting.key, false);
  }, [setting.key, changed, onChangedChange]);

  const checked = checkDraft(setting, current);
  return {
    draft: current,
    setDraft,
    discard: () => setDraft(null),
    /** After `sent` was saved: keeps what was entered while it was under way. */
    endEdit: (sent: Draft) => setDraft((now) => (JSON.stringify(now) === JSON.stringify(sent) ? null : now)),
    changed,
    /** The value to save; null while it cannot be saved. */
    value: changed && 'value' in checked ? checked.value : null,
    /** The problem of the input; null = none. */
    problem: changed && 'problem' in checked ? checked.problem : null,
  };
}
