import {
  Button,
  Code,
  Group,
  NativeSelect,
  PasswordInput,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useEffect } from 'react';
import { fieldErrors } from '../../api/api-error';
import { changedFields } from '../../components/changed-fields';
import { ChangedMeanwhile } from '../../components/ChangedMeanwhile';
import { CopyButton } from '../../components/CopyButton';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Form } from '../../components/Form';
import { showDone } from '../../components/notices';
import { Section } from '../../components/Section';
import { useUnsavedFields } from '../../components/use-unsaved-changes';
import { ROLE_OPTIONS } from '../administrators/role-options';
import { draftOf, NEW_PROVIDER, type ProviderDraft, textOf, toBody } from './provider-draft';
import { RulesFields } from './RulesFields';
import { type Provider, useSaveProvider } from './use-providers';

interface ProviderFormProps {
  /** The provider to change; absent = a new one. */
  provider?: Provider | undefined;
  onHasChanges: (hasChanges: boolean) => void;
  onDone: () => void;
}

const WIDTH = { base: '100%', xs: 480 };

export function ProviderForm({ provider, onHasChanges, onDone }: ProviderFormProps) {
  const saved: ProviderDraft = provider ? draftOf(provider) : NEW_PROVIDER;
  const save = useSaveProvider(provider?.name);
  const fields = useUnsavedFields(saved, save);
  const { draft, change, hasChanges, isOutdated } = fields;
  useEffect(() => onHasChanges(hasChanges), [hasChanges, onHasChanges]);
  const errors = fieldErrors(save.error);
  const errorOf = (field: string) => [...errors].find(([path]) => path === field || path.startsWith(`${field}.`))?.[1];
  const submit = () => {
    const body = toBody(draft);
    save.mutate(provider ? changedFields(body, toBody(saved)) : body, {
      onSuccess: () => {
        showDone(`${draft.name} is saved.`);
        onDone();
      },
    });
  };
  const text = (
    field: 'name' | 'title' | 'issuer' | 'clientId' | 'personClaim' | 'groupsClaim',
    label: string,
    description: string,
  ) => (
    <TextInput
      label={label}
      description={description}
      autoComplete="off"
      autoCapitalize="none"
      w={WIDTH}
      value={draft[field]}
      error={errorOf(field)}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  );
  return (
    <Section title={provider ? `Change ${provider.name}` : 'Add a provider'}>
      <Form onSubmit={submit}>
        <Stack gap="sm" align="start">
          {save.error && errors.size === 0 && <ErrorNotice error={save.error} />}
          <RegisteredAddresses />
          {!provider && text('name', 'Name', 'Used in URLs and in the audit log, such as company.')}
          {text('title', 'Title', 'Shown on its button on the login page.')}
          {text('issuer', 'Issuer', 'The issuer URL of the provider, with https.')}
          {text('clientId', 'Client ID', 'The ID that the provider gave this service.')}
          <PasswordInput
            label="Client secret"
            description={
              provider?.hasSecret
                ? 'Stored. Leave empty to keep it.'
                : 'The secret that the provider gave this service.'
            }
            autoComplete="off"
            w={WIDTH}
            value={draft.secret}
            error={errorOf('secret')}
            onChange={(event) => change({ secret: event.currentTarget.value })}
          />
          <TagsInput
            label="Scopes"
            description="Press Enter after each."
            w={WIDTH}
            value={draft.scopes}
            error={errorOf('scopes')}
            onChange={(scopes) => change({ scopes })}
          />
          {text('personClaim', 'Subject claim', 'Identifies a person: sub, unless the manual says otherwise.')}
          {text('groupsClaim', 'Groups claim', 'Such as groups or realm_access.roles. Leave empty for none.')}
          <RulesFields rules={draft.rules} errorOf={errorOf} onChange={(rules) => change({ rules })} />
          {errors.has('rules') && (
            <Text role="alert" size="sm" c="red.9">
              {errors.get('rules')}
            </Text>
          )}
          <NativeSelect
            label="Default role"
            description="For people whom no rule gives a role."
            w={WIDTH}
            data={ROLE_OPTIONS}
            value={draft.defaultRole}
            onChange={(event) => change({ defaultRole: event.currentTarget.value as Provider['defaultRole'] })}
          />
          <Switch
            label="Create accounts"
            description="The first login of a person creates an account."
            checked={draft.makesAccounts}
            onChange={(event) => change({ makesAccounts: event.currentTarget.checked })}
          />
          <Switch
            label="Enabled"
            description="The login page shows it."
            checked={draft.enabled}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          <ChangedMeanwhile
            what="provider"
            consequence="Fields that you have not changed show the current values."
            edit={fields}
            textOf={textOf}
          />
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={!hasChanges || isOutdated}>
              Save provider
            </Button>
            {provider && (
              <Button variant="default" disabled={save.isPending} onClick={onDone}>
                Cancel
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}

const REGISTERED = [
  { what: 'redirect URI', path: '/admin/api/sso/callback' },
  { what: 'post-logout redirect URI', path: '/admin/' },
];

/** The addresses to register at the provider. */
function RegisteredAddresses() {
  return (
    <div>
      <Text size="sm">Register these at the provider (with PUBLIC_URL in place of this address, if it is set):</Text>
      {REGISTERED.map(({ what, path }) => {
        const address = window.location.origin + path;
        return (
          <div key={what}>
            <Code style={{ overflowWrap: 'anywhere' }}>{address}</Code> <CopyButton value={address} what={what} />{' '}
            <Text span size="sm">
              {what}
            </Text>
          </div>
        );
      })}
    </div>
  );
}
