import {
  BookIcon,
  GearIcon,
  IdBadgeIcon,
  type Icon,
  KeyIcon,
  LinkIcon,
  LawIcon,
  LogIcon,
  MeterIcon,
  NoteIcon,
  FileCodeIcon,
  PackageIcon,
  PeopleIcon,
  PersonIcon,
  PlugIcon,
  PlayIcon,
  RssIcon,
  ShieldCheckIcon,
  ShieldLockIcon,
  ToolsIcon,
  TrashIcon,
  WebhookIcon,
  WorkflowIcon,
} from '@primer/octicons-react';
import { lazy, type ReactNode } from 'react';
import type { Role } from '../api/session';
import { OverviewPage } from './overview/OverviewPage';

const ConnectPage = lazy(() => import('./connect/ConnectPage'));
const SignInTestPage = lazy(() => import('./connect/sign-in-test/SignInTestPage'));
const SkillsPage = lazy(() => import('./skills/catalogue/SkillsPage'));
const SkillPage = lazy(() => import('./skills/detail/SkillPage'));
const PackagesPage = lazy(() => import('./skill-packages/list/PackagesPage'));
const ModulesPage = lazy(() => import('./skill-modules/ModulesPage'));
const ModulePage = lazy(() => import('./skill-modules/ModulePage'));
const PackagePage = lazy(() => import('./skill-packages/detail/PackagePage'));
const NewPackagePage = lazy(() => import('./skill-packages/editor/NewPackagePage'));
const EditPackagePage = lazy(() => import('./skill-packages/editor/EditPackagePage'));
const WorkflowsPage = lazy(() => import('./workflows/list/WorkflowsPage'));
const NewWorkflowPage = lazy(() => import('./workflows/editor/NewWorkflowPage'));
const WorkflowPage = lazy(() => import('./workflows/detail/WorkflowPage'));
const EditWorkflowPage = lazy(() => import('./workflows/editor/EditWorkflowPage'));
const RunsPage = lazy(() => import('./runs/list/RunsPage'));
const RunPage = lazy(() => import('./runs/detail/RunPage'));
const WebhooksPage = lazy(() => import('./webhooks/WebhooksPage'));
const SecretsPage = lazy(() => import('./secrets/SecretsPage'));
const KnowledgePage = lazy(() => import('./knowledge/list/KnowledgePage'));
const NewDocumentPage = lazy(() => import('./knowledge/document/NewDocumentPage'));
const DocumentPage = lazy(() => import('./knowledge/document/DocumentPage'));
const EditDocumentPage = lazy(() => import('./knowledge/document/EditDocumentPage'));
const TrashPage = lazy(() => import('./knowledge/trash/TrashPage'));
const MemoryPage = lazy(() => import('./memory/list/MemoryPage'));
const NewEntryPage = lazy(() => import('./memory/entry/NewEntryPage'));
const EntryPage = lazy(() => import('./memory/entry/EntryPage'));
const FeedsPage = lazy(() => import('./feeds/list/FeedsPage'));
const FeedPage = lazy(() => import('./feeds/detail/FeedPage'));
const ItemsPage = lazy(() => import('./feed-items/ItemsPage'));
const ItemPage = lazy(() => import('./feed-items/ItemPage'));
const SessionsPage = lazy(() => import('./sessions/SessionsPage'));
const AuditPage = lazy(() => import('./audit/list/AuditPage'));
const AuditEntryPage = lazy(() => import('./audit/entry/AuditEntryPage'));
const AdministratorsPage = lazy(() => import('./administrators/AdministratorsPage'));
const AdministratorPage = lazy(() => import('./administrators/AdministratorPage'));
const SingleSignOnPage = lazy(() => import('./single-sign-on/SingleSignOnPage'));
const AccountPage = lazy(() => import('./account/AccountPage'));
const ClientsPage = lazy(() => import('./clients/list/ClientsPage'));
const ClientPage = lazy(() => import('./clients/detail/ClientPage'));
const ProgramsPage = lazy(() => import('./programs/ProgramsPage'));
const PoliciesPage = lazy(() => import('./policies/list/PoliciesPage'));
const NewPolicyPage = lazy(() => import('./policies/editor/NewPolicyPage'));
const PolicyPage = lazy(() => import('./policies/editor/PolicyPage'));
const ConfigPage = lazy(() => import('./config/ConfigPage'));

/** A page of the navigation. */
export interface PageDefinition {
  /** Below /admin/, without slashes; '' is the start page. */
  path: string;
  title: string;
  icon: Icon;
  element: ReactNode;
  /** The required role; viewer by default. */
  role?: Role;
  /** Set when the page is not reached through the navigation. */
  isElsewhere?: true;
  /** Pages below it, such as ':name', with their required role if it differs. */
  details?: readonly { path: string; element: ReactNode; role?: Role }[];
}

/** The pages, in the order of the navigation. All except the first are loaded lazily. */
export const pages: readonly PageDefinition[] = [
  { path: '', title: 'Overview', icon: MeterIcon, element: <OverviewPage /> },
  {
    path: 'connect',
    title: 'Connect',
    icon: PlugIcon,
    element: <ConnectPage />,
    details: [{ path: 'sign-in-test', element: <SignInTestPage />, role: 'admin' }],
  },
  {
    path: 'skills',
    title: 'Skills',
    icon: ToolsIcon,
    element: <SkillsPage />,
    details: [{ path: ':name', element: <SkillPage /> }],
  },
  {
    path: 'skill-packages',
    title: 'Skill packages',
    icon: PackageIcon,
    element: <PackagesPage />,
    details: [
      { path: 'new', element: <NewPackagePage />, role: 'editor' },
      { path: ':name', element: <PackagePage /> },
      { path: ':name/edit', element: <EditPackagePage />, role: 'editor' },
    ],
  },
  {
    path: 'skill-modules',
    title: 'Skill modules',
    icon: FileCodeIcon,
    element: <ModulesPage />,
    details: [{ path: ':name', element: <ModulePage /> }],
  },
  {
    path: 'workflows',
    title: 'Workflows',
    icon: WorkflowIcon,
    element: <WorkflowsPage />,
    details: [
      { path: 'new', element: <NewWorkflowPage />, role: 'editor' },
      { path: ':name', element: <WorkflowPage /> },
      { path: ':name/edit', element: <EditWorkflowPage />, role: 'editor' },
    ],
  },
  {
    path: 'runs',
    title: 'Runs',
    icon: PlayIcon,
    element: <RunsPage />,
    details: [{ path: ':id', element: <RunPage /> }],
  },
  { path: 'webhooks', title: 'Webhooks', icon: WebhookIcon, element: <WebhooksPage /> },
  { path: 'secrets', title: 'Secrets', icon: KeyIcon, element: <SecretsPage />, role: 'editor' },
  {
    path: 'knowledge',
    title: 'Knowledge',
    icon: BookIcon,
    element: <KnowledgePage />,
    details: [
      { path: 'new', element: <NewDocumentPage />, role: 'editor' },
      { path: ':id', element: <DocumentPage /> },
      { path: ':id/edit', element: <EditDocumentPage />, role: 'editor' },
    ],
  },
  {
    path: 'knowledge-trash',
    title: 'Removed documents',
    icon: TrashIcon,
    element: <TrashPage />,
    isElsewhere: true,
  },
  {
    path: 'memory',
    title: 'Memory',
    icon: NoteIcon,
    element: <MemoryPage />,
    details: [
      { path: 'new', element: <NewEntryPage />, role: 'editor' },
      { path: ':namespace/:key', element: <EntryPage /> },
    ],
  },
  {
    path: 'feeds',
    title: 'Feeds',
    icon: RssIcon,
    element: <FeedsPage />,
    details: [{ path: ':id', element: <FeedPage /> }],
  },
  {
    path: 'feed-items',
    title: 'Feed items',
    icon: RssIcon,
    element: <ItemsPage />,
    isElsewhere: true,
    details: [{ path: ':feed/:id', element: <ItemPage /> }],
  },
  {
    path: 'clients',
    title: 'Clients',
    icon: IdBadgeIcon,
    element: <ClientsPage />,
    details: [{ path: ':name', element: <ClientPage /> }],
  },
  { path: 'programs', title: 'Programs', icon: LinkIcon, element: <ProgramsPage /> },
  {
    path: 'policies',
    title: 'Policies',
    icon: LawIcon,
    element: <PoliciesPage />,
    details: [
      { path: 'new', element: <NewPolicyPage />, role: 'admin' },
      { path: ':name', element: <PolicyPage /> },
    ],
  },
  { path: 'sessions', title: 'Sessions', icon: PeopleIcon, element: <SessionsPage /> },
  {
    path: 'audit',
    title: 'Audit',
    icon: LogIcon,
    element: <AuditPage />,
    details: [{ path: ':seq', element: <AuditEntryPage /> }],
  },
  {
    path: 'administrators',
    title: 'Accounts',
    icon: ShieldLockIcon,
    element: <AdministratorsPage />,
    role: 'admin',
    details: [{ path: ':name', element: <AdministratorPage /> }],
  },
  {
    path: 'single-sign-on',
    title: 'Single sign-on',
    icon: ShieldCheckIcon,
    element: <SingleSignOnPage />,
    role: 'admin',
  },
  { path: 'config', title: 'Config', icon: GearIcon, element: <ConfigPage /> },
  {
    path: 'account',
    title: 'Your account',
    icon: PersonIcon,
    element: <AccountPage />,
    role: 'member',
    isElsewhere: true,
  },
];
