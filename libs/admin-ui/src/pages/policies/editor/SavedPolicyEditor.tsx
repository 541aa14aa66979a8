import { Button } from '@mantine/core';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { type Policy, useUpdatePolicy } from '../use-policies';
import { PolicyEditor } from './PolicyEditor';

/** Editor of a policy that there is. */
export function SavedPolicyEditor({ policy: { name, policy: saved, enabled } }: { policy: Policy }) {
  const { draft, setDraft, discard, hasChanges, isOutdated } = useUnsavedDraft(saved);
  const save = useUpdatePolicy(name);
  return (
    <PolicyEditor
      name={name}
      isSaved
      text={draft}
      onChange={setDraft}
      canSave={hasChanges}
      isSaving={save.isPending}
      onSave={() =>
        save.mutate(
          { policy: draft },
          { onSuccess: () => showDone(enabled ? `${name} is saved, and in force.` : `${name} is saved.`) },
        )
      }
      below={
        <>
          {isOutdated && !save.isPending && (
            <ChangedMeanwhile what="policy" consequence="If you save, your text replaces it." onDiscard={discard} />
          )}
          {save.error && <ErrorNotice error={save.error} />}
        </>
      }
      actions={
        <Button variant="default" disabled={!hasChanges} onClick={discard}>
          Discard changes
        </Button>
      }
    />
  );
}
