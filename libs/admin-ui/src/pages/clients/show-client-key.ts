import { showOnce } from '../../components/show-once';

export const showClientKey = (name: string, secret: string): void =>
  showOnce({
    title: `The key of ${name}`,
    text: 'Copy it now: it cannot be shown again. Give it only to those who use this client; under Connect is how assistants take it.',
    secret,
  });
