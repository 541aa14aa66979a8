import { ChangedMeanwhile } from './ChangedMeanwhile';
import type { UnsavedFields } from './use-unsaved-changes';

interface FieldsChangedMeanwhileProps<Fields extends object> {
  what: string;
  fields: UnsavedFields<Fields>;
  textOf: (fields: Fields) => string;
  isSaving: boolean;
}

/** Warns if somebody else has changed the object of a form in the meantime. */
export function FieldsChangedMeanwhile<Fields extends object>({
  what,
  fields: { saved, draft, isOutdated, discard, keep },
  textOf,
  isSaving,
}: FieldsChangedMeanwhileProps<Fields>) {
  if (!isOutdated || isSaving) return null;
  return (
    <ChangedMeanwhile
      what={what}
      consequence="Fields that you have not changed show what is there now."
      onDiscard={discard}
      choice={{ now: textOf(saved), mine: textOf(draft), onKeep: keep }}
    />
  );
}
