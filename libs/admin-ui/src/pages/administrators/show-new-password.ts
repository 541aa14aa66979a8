import { showOnce } from '../../components/show-once';

export const showNewPassword = (name: string, password: string): void =>
  showOnce({
    title: `The password of ${name}`,
    text: 'Pass it on now: it cannot be shown again. Its owner can change it under “Your account”.',
    secret: password,
  });
