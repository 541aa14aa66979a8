import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { confirm } from '../../components/confirm';
import { showError } from '../../components/notices';
import { showOnce } from '../../components/show-once';
import { offerKey } from '../connect/new-key';
import { cutOffBy } from './setting-rules';
import { type Setting, useGenerateSecret } from './use-settings';

/** Button that generates a new key, and shows it once. */
export function GenerateButton({ setting, onGenerated }: { setting: Setting; onGenerated: () => void }) {
  const navigate = useNavigate();
  const generate = useGenerateSecret(setting.key);
  const button = useRef<HTMLButtonElement>(null);
  const showNew = (key: string) => {
    onGenerated();
    showOnce({
      title: 'Your new key',
      text: 'Copy it now: it cannot be shown again. Clients send it as a bearer token.',
      secret: key,
      onClose: () => button.current?.focus(),
      next: {
        label: 'Connect an assistant',
        go: () => {
          offerKey(key);
          void navigate('/connect');
        },
      },
    });
  };
  const ask = () =>
    confirm({
      title: 'Generate a new key?',
      text: `The key is shown only once: be ready to store it.${cutOffBy(setting)}`,
      confirm: 'Generate new key',
      onConfirm: () => void generate.mutateAsync().then(({ value }) => showNew(value), showError),
    });
  return (
    <Button ref={button} variant={setting.isSet ? 'default' : 'filled'} loading={generate.isPending} onClick={ask}>
      Generate
    </Button>
  );
}
