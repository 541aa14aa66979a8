import { useNavigate } from 'react-router';
import { showOnce } from '../../components/show-once';
import { offerKey } from '../connect/new-key';

/** Returns a function that shows a new key once, with a link to the page for connecting assistants. */
export function useShowClientKey() {
  const navigate = useNavigate();
  return (name: string, secret: string): void =>
    showOnce({
      title: `The key of ${name}`,
      text: 'Copy it now: it cannot be shown again. Give it only to those who use this client.',
      secret,
      next: {
        label: 'Connect an assistant',
        go: () => {
          offerKey(secret);
          void navigate('/connect');
        },
      },
    });
}
