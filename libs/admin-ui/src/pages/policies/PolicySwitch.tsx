import { Switch } from '@mantine/core';
import { useMay } from '../../api/session';
import { confirm } from '../../components/confirm';
import { showError } from '../../components/notices';
import { isLastPermit, NOTHING_LEFT } from './last-permit';
import { type Policy, useEnablePolicy, usePolicies } from './use-policies';

interface PolicySwitchProps {
  policy: Pick<Policy, 'name' | 'enabled'>;
  /** Text next to the switch; without it, there is a label for screen readers only. */
  label?: string;
}

/** Switch that enables or disables a policy. Asks for confirmation if nobody could do anything afterwards. */
export function PolicySwitch({ policy: { name, enabled }, label }: PolicySwitchProps) {
  const may = useMay('admin');
  const { data: policies = [] } = usePolicies();
  const { mutate, isPending, variables } = useEnablePolicy(name);
  const set = (next: boolean) => mutate({ enabled: next }, { onError: showError });
  const change = (next: boolean) => {
    if (next || !isLastPermit(policies, name)) return set(next);
    confirm({
      title: `Disable ${name}?`,
      text: NOTHING_LEFT,
      confirm: 'Disable policy',
      onConfirm: () => set(next),
    });
  };
  return (
    <Switch
      label={label}
      aria-label={label === undefined ? `Enabled: ${name}` : undefined}
      checked={isPending ? variables.enabled : enabled}
      disabled={isPending || !may}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
