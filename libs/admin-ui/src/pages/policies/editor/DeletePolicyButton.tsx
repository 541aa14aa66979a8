import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { WITHOUT_ASKING } from '../../../components/use-unsaved-changes';
import { isLastPermit, NOTHING_LEFT } from '../last-permit';
import { type Policy, useDeletePolicy, usePolicies } from '../use-policies';

export function DeletePolicyButton({ policy }: { policy: Policy }) {
  const { name } = policy;
  const navigate = useNavigate();
  const { data: policies = [] } = usePolicies();
  const remove = useDeletePolicy(policy);
  const deleted = async () => {
    await navigate('/policies', { ...WITHOUT_ASKING, replace: true });
    showDone(`${name} is deleted.`);
  };
  const ask = () =>
    confirm({
      title: `Delete ${name}?`,
      text: isLastPermit(policies, name)
        ? NOTHING_LEFT
        : 'It is no longer in force from then on. This cannot be undone.',
      confirm: 'Delete policy',
      onConfirm: () => remove.mutate(undefined, { onSuccess: () => void deleted(), onError: showError }),
    });
  return (
    <Button variant="default" loading={remove.isPending} onClick={ask}>
      Delete
    </Button>
  );
}
