import { Alert, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useLocation } from 'react-router';
import { messageOf } from './ErrorNotice';
import { TextLink } from './TextLink';

/** Says that the object of a page does not exist, and leads to the list of the others. */
export function NotFoundNotice({ error }: { error: unknown }) {
  const [, list = ''] = useLocation().pathname.split('/');
  return (
    <Alert role="alert" color="red" title="Not found" icon={<AlertIcon aria-hidden />}>
      <Text size="sm">
        {messageOf(error)} <TextLink to={`/${list}`}>Back to the list</TextLink>
      </Text>
    </Alert>
  );
}
