import { Alert, Button, Modal, Text } from '@mantine/core';
import { AlertIcon, CheckCircleIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { formatNumber } from '../../../text/format';
import { useVerify, type Verification } from '../use-audit';

/** Verifies the chain of the audit log, and shows the result. */
export function VerifyButton() {
  const [isOpen, setIsOpen] = useState(false);
  const [checked, setChecked] = useState(0);
  const verify = useVerify();
  const begin = () => {
    setIsOpen(true);
    if (verify.isPending) return; // it goes on while the dialog is closed
    setChecked(0);
    verify.mutate(setChecked);
  };
  return (
    <>
      <Button variant="default" onClick={begin}>
        Verify
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Verify the audit log">
        {verify.isPending && <Text role="status">{`Entries checked: ${formatNumber(checked)}`}</Text>}
        {verify.error && <ErrorNotice error={verify.error} onRetry={begin} />}
        {verify.data && <Result verification={verify.data} />}
      </Modal>
    </>
  );
}

function Result({ verification: { checked, last, broken } }: { verification: Verification }) {
  if (broken) {
    return (
      <Alert role="alert" color="red" icon={<AlertIcon aria-hidden />} title={`Broken at entry ${broken.seq}`}>
        {`${broken.problem}. The entries before it are intact: ${formatNumber(checked)} were checked.`}
      </Alert>
    );
  }
  return (
    <Alert role="status" color="teal" icon={<CheckCircleIcon aria-hidden />} title="Nothing was changed or removed">
      <Text size="sm">{`Entries checked: ${formatNumber(checked)}. The last one is ${last.seq}, with this hash:`}</Text>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {last.hash}
      </Text>
    </Alert>
  );
}
