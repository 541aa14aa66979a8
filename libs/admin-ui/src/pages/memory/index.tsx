import { NoteIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const MemoryPage = lazy(() => import('./list/MemoryPage'));
const NewEntryPage = lazy(() => import('./entry/NewEntryPage'));
const EntryPage = lazy(() => import('./entry/EntryPage'));

export const memoryPage: PageDefinition = {
  path: 'memory',
  title: 'Memory',
  icon: NoteIcon,
  element: <MemoryPage />,
  order: 50,
  details: [
    { path: 'new', element: <NewEntryPage /> },
    { path: ':namespace/:key', element: <EntryPage /> },
  ],
};
