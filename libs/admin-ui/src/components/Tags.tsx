import { Badge, Group } from '@mantine/core';

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <Group gap={6}>
      {tags.map((tag) => (
        <Badge key={tag} color="gray" maw="100%" flex="0 1 auto">
          {tag}
        </Badge>
      ))}
    </Group>
  );
}
