import { Button } from '@mantine/core';
import { isOutdated as isRefused } from '../../../api/api-error';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { type Policy, useSavePolicy } from '../use-policies';
import { PolicyEditor } from './PolicyEditor';

/** Editor of an existing policy. */
export function SavedPolicyEditor({ policy }: { policy: Policy }) {
  const { name } = policy;
  const save = useSavePolicy(policy);
  const edit = useUnsavedDraft(policy.policy, save);
  const { draft, setDraft, discard, endEdit, hasChanges, isOutdated } = edit;
  return (
    <PolicyEditor
      name={name}
      isSaved
      text={draft}
      onChange={setDraft}
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
          <ChangedMeanwhile what="policy" edit={edit} textOf={String} />
          {save.error && !(isOutdated && isRefused(save.error)) && <ErrorNotice error={save.error} />}
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
