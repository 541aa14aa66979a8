import { Group, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { DownloadButton } from '../../../components/DownloadButton';
import { PageHeader } from '../../../components/PageHeader';
import { exportPath, filterOf } from '../audit-filter';
import { AuditFilters } from './AuditFilters';
import { AuditList } from './AuditList';
import { VerifyButton } from './VerifyButton';

export default function AuditPage() {
  const [params] = useSearchParams();
  const filter = filterOf(params);
  return (
    <>
      <PageHeader
        title="Audit"
        about="Every call, refusal and change, the newest first. Entries cannot be changed, and each one is chained to the one before."
        actions={
          <Group gap="sm">
            <VerifyButton />
            <DownloadButton label="Export" href={exportPath(filter)} />
          </Group>
        }
      />
      <Stack>
        <AuditFilters />
        <AuditList filter={filter} />
      </Stack>
    </>
  );
}
