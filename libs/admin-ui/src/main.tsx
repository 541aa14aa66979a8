import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { shareSession } from './api/shared-session';
import { App } from './app/App';
import { keepFocus } from './app/keep-focus';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
shareSession(queryClient);
keepFocus(root);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
