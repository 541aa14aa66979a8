import type { Generated } from 'kysely';
import type {
  AccountIdentityTable,
  AdminSessionTable,
  AdministratorTable,
  AuditBatchTable,
  AuditChainTable,
  AuditTermTable,
  CallCountTable,
  ClientKeyTable,
  ClientTable,
  PolicyTable,
  LoginProviderTable,
  LoginUseTable,
} from './access-tables.js';
import type {
  SkillModuleSettingsTable,
  SkillModuleStateTable,
  SkillModuleTable,
  SkillModuleVersionTable,
} from './module-tables.js';
import type { LlmUsageTable } from './llm-tables.js';
import type { OAuthArtifactTable, OAuthGrantTable, OAuthProgramTable } from './oauth-tables.js';
import type {
  PackageProposalTable,
  SkillPackageFileTable,
  SkillPackageTable,
  SkillPackageVersionTable,
} from './package-tables.js';
import type {
  KnowledgeDocumentTable,
  KnowledgeDocumentWordsTable,
  KnowledgeHistoryTable,
  KnowledgePassageTable,
  KnowledgeSourceTable,
  KnowledgeTagTable,
  KnowledgeTrashHistoryTable,
  KnowledgeTrashTable,
  KnowledgeVectorTable,
  MemoryEntryTable,
  MemoryHistoryTable,
  MemoryVectorTable,
  SkillPackageVectorTable,
} from './text-tables.js';
import type {
  WebhookMessageTable,
  WebhookTable,
  WorkflowEventTable,
  WorkflowListenerTable,
  WorkflowLogTable,
  WorkflowRunTable,
  WorkflowSecretTable,
  WorkflowStepTable,
  WorkflowTable,
  WorkflowTickTable,
  WorkflowTimetableTable,
  WorkflowVersionTable,
} from './workflow-tables.js';

/**
 * The columns of every table, the same on both databases. Times are ISO 8601 text, JSON is text, booleans are 0 and 1;
 * the stores convert them.
 */
export interface Tables {
  settings: SettingTable;
  secrets: SecretTable;
  skill_states: SkillStateTable;
  clients: ClientTable;
  client_keys: ClientKeyTable;
  client_uses: ClientUseTable;
  mcp_sessions: McpSessionTable;
  mcp_subscriptions: McpSubscriptionTable;
  mcp_relayed: McpRelayedTable;
  replicas: ReplicaTable;
  mcp_events: McpEventTable;
  mcp_streams: McpStreamTable;
  mcp_stream_events: McpStreamEventTable;
  administrators: AdministratorTable;
  admin_sessions: AdminSessionTable;
  account_identities: AccountIdentityTable;
  login_providers: LoginProviderTable;
  login_uses: LoginUseTable;
  facts: FactTable;
  former_versions: FormerVersionTable;
  feeds: FeedTable;
  feed_items: FeedItemTable;
  knowledge_documents: KnowledgeDocumentTable;
  knowledge_history: KnowledgeHistoryTable;
  knowledge_trash: KnowledgeTrashTable;
  knowledge_trash_history: KnowledgeTrashHistoryTable;
  knowledge_sources: KnowledgeSourceTable;
  knowledge_tags: KnowledgeTagTable;
  knowledge_document_words: KnowledgeDocumentWordsTable;
  knowledge_passages: KnowledgePassageTable;
  knowledge_vectors: KnowledgeVectorTable;
  memory_entries: MemoryEntryTable;
  memory_history: MemoryHistoryTable;
  memory_vectors: MemoryVectorTable;
  skill_packages: SkillPackageTable;
  skill_package_versions: SkillPackageVersionTable;
  skill_package_files: SkillPackageFileTable;
  skill_package_vectors: SkillPackageVectorTable;
  skill_modules: SkillModuleTable;
  skill_module_versions: SkillModuleVersionTable;
  skill_module_states: SkillModuleStateTable;
  skill_module_settings: SkillModuleSettingsTable;
  llm_usage: LlmUsageTable;
  oauth_programs: OAuthProgramTable;
  oauth_grants: OAuthGrantTable;
  oauth_artifacts: OAuthArtifactTable;
  skill_package_proposals: PackageProposalTable;
  workflows: WorkflowTable;
  workflow_versions: WorkflowVersionTable;
  workflow_runs: WorkflowRunTable;
  workflow_steps: WorkflowStepTable;
  workflow_events: WorkflowEventTable;
  workflow_listeners: WorkflowListenerTable;
  workflow_logs: WorkflowLogTable;
  workflow_ticks: WorkflowTickTable;
  workflow_timetables: WorkflowTimetableTable;
  webhooks: WebhookTable;
  policies: PolicyTable;
  webhook_messages: WebhookMessageTable;
  workflow_secrets: WorkflowSecretTable;
  audit_batches: AuditBatchTable;
  audit_terms: AuditTermTable;
  audit_chain: AuditChainTable;
  call_counts: CallCountTable;
}

interface SettingTable {
  key: string;
  value: string; // JSON
  updated_at: string;
}

/** Secrets that the service has generated. */
interface SecretTable {
  name: string;
  value: string;
  created_at: string;
}

interface SkillStateTable {
  name: string;
  enabled: number;
  timeout_ms: number | null; // null = mcp.tool_timeout_ms
  max_result_bytes: number | null; // null = mcp.max_result_bytes
  updated_at: string;
}

/** Time, address and program of each client's last call. */
interface ClientUseTable {
  client: string;
  used_at: string;
  address: string | null;
  program: string;
}

export interface McpSessionTable {
  id: string;
  client: string;
  client_key: string | null; // the displayed part of the key; null = mcp.api_key
  protocol_version: string;
  client_name: string | null;
  client_version: string | null;
  initialize: string; // JSON
  log_level: string | null;
  event_seq: number;
  created_at: string;
  last_seen_at: string;
  answered_after: number;
  answered_up_to: number;
  open_stream: string | null; // the endpoint's name for it; null = none, or it does not matter which replica has it
}

interface McpSubscriptionTable {
  session_id: string;
  uri_hash: string;
  uri: string;
}

/** Messages that clients sent to one replica for a call that another one serves. */
interface McpRelayedTable {
  seq: Generated<number>;
  session_id: string;
  messages: string; // JSON
  created_at: string;
}

/** The processes that share the database. */
interface ReplicaTable {
  id: string;
  seen_at_ms: number;
}

interface McpEventTable {
  seq: Generated<number>;
  kind: string;
  uri: string | null;
  created_at: string;
}

interface McpStreamTable {
  id: string;
  session_id: string;
  requests: string; // JSON
  process: string; // of the replica that serves the call
  finished: number;
  created_at: string;
  finished_at: string | null; // null = its call is running or was lost
  bytes: Generated<number>; // its size; 0 until it is finished
  delivered: Generated<number>; // 1 = the client's connection took all of it
}

interface McpStreamEventTable {
  stream_id: string;
  seq: number;
  message: string | null; // JSON
}

/** Small values of this instance. */
interface FactTable {
  name: string;
  value: string;
  updated_at: string;
}

/** The last versions of removed things, by address. */
interface FormerVersionTable {
  seq: Generated<number>; // in the order of removal
  kind: string; // document | memory | module settings | package
  address: string;
  version: number;
}

export interface FeedTable {
  id: string;
  url: string;
  published_title: string | null;
  custom_title: string | null;
  description: string | null;
  site_url: string | null;
  folders: string; // JSON
  interval_minutes: number | null;
  published_interval_minutes: number | null;
  is_paused: number;
  is_gone: number;
  etag: string | null;
  last_modified: string | null;
  document_hash: string | null;
  failures: number;
  last_error: string | null;
  last_fetched_at: string | null;
  last_changed_at: string | null;
  next_poll_at: string | null;
  created_at: string;
  search: string; // folded text for searches
}

export interface FeedItemTable {
  feed_id: string;
  id: string;
  revision: string;
  url: string | null;
  title: string;
  author: string | null;
  published_at: string | null;
  first_seen_at: string;
  sorted_at: string;
  content: string; // Markdown
  summary: string;
  categories: string; // JSON
  is_in_document: number;
  search: string; // folded text for searches
}
