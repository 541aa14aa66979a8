import { Alert, Text } from '@mantine/core';
import { CheckCircleIcon, CircleSlashIcon, QuestionIcon } from '@primer/octicons-react';
import { Facts } from '../../../components/Facts';
import { PolicyLinks } from '../PolicyLinks';
import type { PolicyDecision } from '../use-policies';

interface DecisionProps {
  decision: PolicyDecision;
  /** Name of the policy in the editor. */
  shown: string | undefined;
}

/** Shows the decision about a call, the deciding policies, and the message to the client. */
export function Decision({ decision, shown }: DecisionProps) {
  const { policies, approval, message } = decision;
  const { color, icon, title } = styleOf(decision);
  return (
    <Alert color={color} icon={icon} title={title}>
      <Facts
        facts={{
          'Decided by':
            policies.length > 0 ? <PolicyLinks policies={policies} shown={shown} /> : 'No policy permits it',
          'A person is asked': approval,
          'The client sees': message && <Text size="sm">{message}</Text>,
        }}
      />
    </Alert>
  );
}

function styleOf({ allowed, approval }: PolicyDecision) {
  if (!allowed) return { color: 'red', icon: <CircleSlashIcon aria-hidden />, title: 'Refused' };
  if (approval !== null) {
    return { color: 'orange', icon: <QuestionIcon aria-hidden />, title: 'Must be confirmed by a person' };
  }
  return { color: 'teal', icon: <CheckCircleIcon aria-hidden />, title: 'Allowed' };
}
