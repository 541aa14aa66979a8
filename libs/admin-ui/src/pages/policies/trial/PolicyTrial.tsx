import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { CheckCircleIcon, CircleSlashIcon, QuestionIcon } from '@primer/octicons-react';
import { ArgumentsForm } from '../../../components/arguments-form/ArgumentsForm';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { Section } from '../../../components/Section';
import type { Json } from '../../../mcp/json-rpc';
import { useSkills } from '../../skills/use-skills';
import { type PolicyDecision, type PolicyDraft, useTestPolicies } from '../use-policies';
import { FIRST_TRIAL, toTest, type TrialFields } from './trial-request';
import { TrialFieldControls } from './TrialFieldControls';
import { Facts } from '../../../components/Facts';
import { PolicyLinks } from '../PolicyLinks';

interface PolicyTrialProps {
  about: string;
  /** The policy in the editor, which is tried as if it were saved; absent = no editor. */
  draft?: PolicyDraft;
  /** Why it cannot be tried now; null = it can. */
  obstacle?: string | null;
}

const MISSING: Record<TrialFields['action'], string> = {
  callTool: 'Enter a client and a tool.',
  readResource: 'Enter a client and a URI.',
  getPrompt: 'Enter a client and a prompt.',
};
const TYPING_MS = 250;
const NOTHING_KNOWN: Json = {};

/** Form for trying the policies on one call, without making it. */
export function PolicyTrial({ about, draft, obstacle = null }: PolicyTrialProps) {
  const [fields, setFields] = useState(FIRST_TRIAL);
  const test = useTestPolicies();
  const [search] = useDebouncedValue(fields.resource.trim(), TYPING_MS);
  const found = useSkills({ q: fields.action === 'callTool' ? search : '' }).data?.items;
  const tools = found?.filter(({ inputSchema }) => inputSchema !== null) ?? [];
  const schema = tools.find(({ name }) => name === fields.resource.trim())?.inputSchema;
  const run = (args: Json) => test.mutate(toTest(fields, args, draft));
  const missing = fields.client.trim() === '' || fields.resource.trim() === '' ? MISSING[fields.action] : null;
  // The result applies to one text, so it is hidden when the text changes.
  const isCurrent = test.variables !== undefined && test.variables.draft?.policy === draft?.policy;
  return (
    <Section title="Test" about={about}>
      <Stack gap="sm">
        <TrialFieldControls
          fields={fields}
          toolNames={tools.map(({ name }) => name)}
          onChange={(changed) => {
            test.reset();
            setFields({ ...fields, ...changed });
          }}
        />
        {fields.action === 'callTool' ? (
          <ArgumentsForm
            key={schema ? fields.resource.trim() : ''}
            schema={schema ?? NOTHING_KNOWN}
            submit="Test"
            allowsInvalid
            noFields={schema ? 'This tool takes no arguments.' : 'Choose a tool, or enter the arguments as JSON.'}
            obstacle={obstacle ?? missing}
            isRunning={test.isPending}
            onEdit={test.reset}
            onRun={run}
          />
        ) : (
          <Form onSubmit={() => run({})}>
            <Button type="submit" disabled={test.isPending || (obstacle ?? missing) !== null}>
              Test
            </Button>
            {(obstacle ?? missing) && (
              <Text span size="sm" ml="md">
                {obstacle ?? missing}
              </Text>
            )}
          </Form>
        )}
        {test.error && isCurrent && <ErrorNotice error={test.error} />}
        <div role="status">{test.data && isCurrent && <Decision decision={test.data} shown={draft?.name} />}</div>
      </Stack>
    </Section>
  );
}

interface DecisionProps {
  decision: PolicyDecision;
  /** Name of the policy in the editor. */
  shown: string | undefined;
}

/** Shows the decision about a call, the deciding policies, and the message to the client. */
function Decision({ decision, shown }: DecisionProps) {
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
