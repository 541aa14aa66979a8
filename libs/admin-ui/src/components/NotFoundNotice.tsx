import { Alert, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useLocation } from 'react-router';
import { TextLink } from './TextLink';

/** Says that the object of a page does not exist, and leads to the list of the others. */
export function NotFoundNotice() {
  const [, list = ''] = useLocation().pathname.split('/');
  return (
    <Alert role="alert" color="red" title="Not found" icon={<AlertIcon aria-hidden />}>
      <Text size="sm">
        It does not exist, or was deleted. Go <TextLink to={`/${list}`}>back to the list</TextLink>.
      </Text>
    </Alert>
  );
}
