import { Text } from '@mantine/core';
import { PageHeader } from '../components/PageHeader';
import { TextLink } from '../components/TextLink';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <Text>
        There is no page at this address. Go to the <TextLink to="/">overview</TextLink>.
      </Text>
    </>
  );
}
