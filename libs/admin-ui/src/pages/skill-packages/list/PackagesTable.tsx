import { Group, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/DataTable';
import { Ago } from '../../../components/Moment';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import { formatBytes, formatNumber } from '../../../text/format';
import { PackageSwitch } from '../PackageSwitch';
import type { PackageItem } from '../use-packages';

const COLUMNS: readonly Column<PackageItem>[] = [
  {
    title: 'Package',
    render: ({ name, description, tags }) => (
      <div>
        <TextLink to={`/skill-packages/${name}`}>{name}</TextLink>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {description}
        </Text>
        <Tags tags={tags} />
      </div>
    ),
  },
  { title: 'Source', render: ({ source }) => (source === 'folder' ? 'SKILLS_DIR' : 'Upload') },
  {
    title: 'Files',
    render: ({ files, bytes }) => (
      <Group gap={4}>
        {formatNumber(files)}
        <Text size="sm" c="dimmed">
          {formatBytes(bytes)}
        </Text>
      </Group>
    ),
  },
  {
    title: 'Changed',
    render: ({ updatedAt, updatedBy }) => (
      <span>
        <Ago at={updatedAt} />
        {updatedBy !== null && ` by ${updatedBy}`}
      </span>
    ),
  },
  { title: 'Enabled', render: (item) => <PackageSwitch item={item} /> },
];

export function PackagesTable({ items }: { items: readonly PackageItem[] }) {
  return <DataTable label="Skill packages" columns={COLUMNS} rows={items} keyOf={({ name }) => name} />;
}
