import { Button } from '@mantine/core';
import { isOutdated as isRefused } from '../../../api/api-error';
import { clearAnswer } from '../../../components/clear-answer';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { type Policy, useSavePolicy } from '../use-policies';
import { PolicyEditor } from './PolicyEditor';

/** Editor of an existing policy. */
export function SavedPolicyEditor({ policy }: { policy: Policy }) {
  const { name, policy: saved } = policy;
  const { draft, setDraft, discard, keep, endEdit, hasChanges, isOutdated } = useUnsavedDraft(saved);
  const save = useSavePolicy(policy);
  const decide = (choice: () => void) => {
    clearAnswer(save);
    choice();
  };
  return (
    <PolicyEditor
      name={name}
      isSaved
      text={draft}
      onChange={(text) => decide(() => setDraft(text))}
      canSave={hasChanges && !isOutdated}
      isSaving={save.isPending}
      onSave={() =>
        save.mutate(draft, {
          onSuccess: ({ enabled }) => {
            endEdit(draft);
            showDone(enabled ? `${name} is saved, and in force.` : `${name} is saved.`);
          },
        })
      }
      below={
        <>
          {isOutdated && !save.isPending && (
            <ChangedMeanwhile
              what="policy"
              consequence="Neither text is lost: choose which one to keep."
              onDiscard={() => decide(discard)}
              choice={{ now: saved, mine: draft, onKeep: () => decide(keep) }}
            />
          )}
          {save.error && !(isOutdated && isRefused(save.error)) && <ErrorNotice error={save.error} />}
        </>
      }
      actions={
        <Button variant="default" disabled={!hasChanges} onClick={() => decide(discard)}>
          Discard changes
        </Button>
      }
    />
  );
}
