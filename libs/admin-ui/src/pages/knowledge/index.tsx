import { BookIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const KnowledgePage = lazy(() => import('./list/KnowledgePage'));
const NewDocumentPage = lazy(() => import('./document/NewDocumentPage'));
const DocumentPage = lazy(() => import('./document/DocumentPage'));
const EditDocumentPage = lazy(() => import('./document/EditDocumentPage'));

export const knowledgePage: PageDefinition = {
  path: 'knowledge',
  title: 'Knowledge',
  icon: BookIcon,
  element: <KnowledgePage />,
  order: 40,
  details: [
    { path: 'new', element: <NewDocumentPage /> },
    { path: ':id', element: <DocumentPage /> },
    { path: ':id/edit', element: <EditDocumentPage /> },
  ],
};
