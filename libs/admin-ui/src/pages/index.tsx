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
import { type ComponentType, createElement, lazy, type ReactNode } from 'react';
import type { Role } from '../api/session';
import { OverviewPage } from './overview/OverviewPage';

/** A page of the navigation. */
export interface PageDefinition {
  /** Below /admin/, without slashes; '' is the start page. */
  path: string;
  title: string;
  icon: Icon;
  /** The part of the navigation; the first pages have none. */
  part?: 'Tools' | 'Data' | 'Access' | 'Service';
  element: ReactNode;
  /** The required role; viewer by default. */
  role?: Role;
  /** Set when the page is not reached through the navigation. */
  isElsewhere?: true;
  /** Pages below it, such as ':name', with their required role if it differs. */
  details?: readonly { path: string; element: ReactNode; role?: Role }[];
}

/** A page whose scripts are loaded when it is opened first. */
const page = (load: () => Promise<{ default: ComponentType }>): ReactNode => createElement(lazy(load));

/** The pages, in the order of the navigation. All except the first are loaded lazily. */
export const pages: readonly PageDefinition[] = [
  { path: '', title: 'Overview', icon: MeterIcon, element: <OverviewPage /> },
  {
    path: 'connect',
    title: 'Connect',
    icon: PlugIcon,
    element: page(() => import('./connect/ConnectPage')),
    details: [
      { path: 'sign-in-test', element: page(() => import('./connect/sign-in-test/SignInTestPage')), role: 'admin' },
    ],
  },
  {
    path: 'skills',
    title: 'Skills',
    icon: ToolsIcon,
    part: 'Tools',
    element: page(() => import('./skills/catalogue/SkillsPage')),
    details: [{ path: ':name', element: page(() => import('./skills/detail/SkillPage')) }],
  },
  {
    path: 'skill-packages',
    title: 'Skill packages',
    icon: PackageIcon,
    part: 'Tools',
    element: page(() => import('./skill-packages/list/PackagesPage')),
    details: [
      { path: 'new', element: page(() => import('./skill-packages/editor/NewPackagePage')), role: 'editor' },
      { path: ':name', element: page(() => import('./skill-packages/detail/PackagePage')) },
      { path: ':name/edit', element: page(() => import('./skill-packages/editor/EditPackagePage')), role: 'editor' },
    ],
  },
  {
    path: 'skill-modules',
    title: 'Skill modules',
    icon: FileCodeIcon,
    part: 'Tools',
    element: page(() => import('./skill-modules/ModulesPage')),
    details: [{ path: ':name', element: page(() => import('./skill-modules/ModulePage')) }],
  },
  {
    path: 'workflows',
    title: 'Workflows',
    icon: WorkflowIcon,
    part: 'Tools',
    element: page(() => import('./workflows/list/WorkflowsPage')),
    details: [
      { path: 'new', element: page(() => import('./workflows/editor/NewWorkflowPage')), role: 'editor' },
      { path: ':name', element: page(() => import('./workflows/detail/WorkflowPage')) },
      { path: ':name/edit', element: page(() => import('./workflows/editor/EditWorkflowPage')), role: 'editor' },
    ],
  },
  {
    path: 'runs',
    title: 'Runs',
    icon: PlayIcon,
    part: 'Tools',
    element: page(() => import('./runs/list/RunsPage')),
    details: [{ path: ':id', element: page(() => import('./runs/detail/RunPage')) }],
  },
  {
    path: 'webhooks',
    title: 'Webhooks',
    icon: WebhookIcon,
    part: 'Tools',
    element: page(() => import('./webhooks/WebhooksPage')),
  },
  {
    path: 'secrets',
    title: 'Secrets',
    icon: KeyIcon,
    part: 'Tools',
    element: page(() => import('./secrets/SecretsPage')),
    role: 'editor',
  },
  {
    path: 'knowledge',
    title: 'Knowledge',
    icon: BookIcon,
    part: 'Data',
    element: page(() => import('./knowledge/list/KnowledgePage')),
    details: [
      { path: 'new', element: page(() => import('./knowledge/document/NewDocumentPage')), role: 'editor' },
      { path: ':id', element: page(() => import('./knowledge/document/DocumentPage')) },
      { path: ':id/edit', element: page(() => import('./knowledge/document/EditDocumentPage')), role: 'editor' },
    ],
  },
  {
    path: 'knowledge-trash',
    title: 'Removed documents',
    icon: TrashIcon,
    element: page(() => import('./knowledge/trash/TrashPage')),
    isElsewhere: true,
  },
  {
    path: 'memory',
    title: 'Memory',
    icon: NoteIcon,
    part: 'Data',
    element: page(() => import('./memory/list/MemoryPage')),
    details: [
      { path: 'new', element: page(() => import('./memory/entry/NewEntryPage')), role: 'editor' },
      { path: ':namespace/:key', element: page(() => import('./memory/entry/EntryPage')) },
    ],
  },
  {
    path: 'feeds',
    title: 'Feeds',
    icon: RssIcon,
    part: 'Data',
    element: page(() => import('./feeds/list/FeedsPage')),
    details: [{ path: ':id', element: page(() => import('./feeds/detail/FeedPage')) }],
  },
  {
    path: 'feed-items',
    title: 'Feed items',
    icon: RssIcon,
    element: page(() => import('./feed-items/ItemsPage')),
    isElsewhere: true,
    details: [{ path: ':feed/:id', element: page(() => import('./feed-items/ItemPage')) }],
  },
  {
    path: 'clients',
    title: 'Clients',
    icon: IdBadgeIcon,
    part: 'Access',
    element: page(() => import('./clients/list/ClientsPage')),
    details: [{ path: ':name', element: page(() => import('./clients/detail/ClientPage')) }],
  },
  {
    path: 'programs',
    title: 'Programs',
    icon: LinkIcon,
    part: 'Access',
    element: page(() => import('./programs/ProgramsPage')),
  },
  {
    path: 'policies',
    title: 'Policies',
    icon: LawIcon,
    part: 'Access',
    element: page(() => import('./policies/list/PoliciesPage')),
    details: [
      { path: 'new', element: page(() => import('./policies/editor/NewPolicyPage')), role: 'admin' },
      { path: ':name', element: page(() => import('./policies/editor/PolicyPage')) },
    ],
  },
  {
    path: 'sessions',
    title: 'Sessions',
    icon: PeopleIcon,
    part: 'Access',
    element: page(() => import('./sessions/SessionsPage')),
  },
  {
    path: 'administrators',
    title: 'Accounts',
    icon: ShieldLockIcon,
    part: 'Access',
    element: page(() => import('./administrators/AdministratorsPage')),
    role: 'admin',
    details: [{ path: ':name', element: page(() => import('./administrators/AdministratorPage')) }],
  },
  {
    path: 'single-sign-on',
    title: 'Single sign-on',
    icon: ShieldCheckIcon,
    part: 'Access',
    element: page(() => import('./single-sign-on/SingleSignOnPage')),
    role: 'admin',
  },
  {
    path: 'audit',
    title: 'Audit',
    icon: LogIcon,
    part: 'Service',
    element: page(() => import('./audit/list/AuditPage')),
    details: [{ path: ':seq', element: page(() => import('./audit/entry/AuditEntryPage')) }],
  },
  {
    path: 'config',
    title: 'Config',
    icon: GearIcon,
    part: 'Service',
    element: page(() => import('./config/ConfigPage')),
  },
  {
    path: 'account',
    title: 'Your account',
    icon: PersonIcon,
    element: page(() => import('./account/AccountPage')),
    role: 'member',
    isElsewhere: true,
  },
];
