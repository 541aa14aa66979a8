import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { SettingsService } from '../../platform/config/settings.service.js';
import type { Page } from '../../platform/paging/page-cursor.js';
import { hashOfSecret } from './client-secret.rules.js';
import { Grants } from './grants.service.js';
import { InvalidProgram, ProgramExists, ProgramNotFound, TooManyPrograms } from './oauth.errors.js';
import { normalMetadata, RedirectUrisInvalid } from './program-metadata.rules.js';
import { type Program, type ProgramsRequest, ProgramStore } from './program.store.js';
import { isDocumentUrl } from './redirect-uri.rules.js';

/** The programs that registered themselves, and those that an administrator added. */
@Injectable()
export class RegisteredPrograms {
  constructor(
    private readonly store: ProgramStore,
    private readonly settings: SettingsService,
    private readonly grants: Grants,
  ) {}

  /** Stores a program that registers itself. @throws TooManyPrograms */
  async add(id: string, { client_secret: secret, ...metadata }: AdapterPayload): Promise<void> {
    const stored = secret === undefined ? metadata : { ...metadata, client_secret: hashOfSecret(secret) };
    const outcome = await this.store.add({ id, metadata: stored, isListed: false, createdAt: new Date() });
    if (outcome === 'full') throw new TooManyPrograms();
  }

  /** Returns a program, if people may sign in with it. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    if (isDocumentUrl(id)) return undefined;
    const program = await this.store.find(id);
    return program && (program.isListed || !this.onlyListed) ? { ...program.metadata, client_id: id } : undefined;
  }

  /** Returns whether people may sign in with a program that has a metadata document. @param url its `client_id` */
  async mayUseDocument(url: string): Promise<boolean> {
    if (!this.takesDocuments) return false;
    return !this.onlyListed || ((await this.store.find(url))?.isListed ?? false);
  }

  async remove(id: string): Promise<void> {
    await this.store.delete(id);
  }

  /** Returns one page of the registered and the added programs, latest first. */
  listPage(request: ProgramsRequest): Promise<Page<Program>> {
    return this.store.listPage(request);
  }

  /** Adds a program by its redirect URIs. @throws InvalidProgram, TooManyPrograms */
  async enter({ name, redirectUris, hasSecret }: EnteredProgram): Promise<{ id: string; secret: string | null }> {
    const id = randomUUID();
    const secret = hasSecret ? randomBytes(32).toString('base64url') : null;
    await this.addListed(id, { client_id: id, ...metadataOf({ name, redirectUris, secret }) });
    return { id, secret };
  }

  /** Adds a program with a metadata document. @throws ProgramExists, TooManyPrograms */
  async enterDocument(name: string, url: string): Promise<void> {
    await this.addListed(url, { client_name: name });
  }

  /** @throws ProgramNotFound */
  async get(id: string): Promise<Program> {
    const program = await this.store.find(id);
    if (!program) throw new ProgramNotFound(id);
    return program;
  }

  /** Removes a program, and its grants. @throws ProgramNotFound */
  async removeListed(id: string): Promise<void> {
    if (!(await this.store.delete(id))) throw new ProgramNotFound(id);
    await this.grants.endAll({ program: id });
  }

  private async addListed(id: string, metadata: Program['metadata']): Promise<void> {
    const outcome = await this.store.add({ id, metadata, isListed: true, createdAt: new Date() });
    if (outcome === 'taken') throw new ProgramExists(id);
    if (outcome === 'full') throw new TooManyPrograms();
  }

  /** True when programs may name a metadata document instead of registering. */
  get takesDocuments(): boolean {
    return this.settings.get('oauth.metadata_documents') === 'on';
  }

  /** True when people may only sign in with programs that an administrator added. */
  get onlyListed(): boolean {
    return this.settings.get('oauth.programs') === 'listed';
  }
}

/** The input of an administrator. */
interface EnteredProgram {
  name: string;
  redirectUris: readonly string[];
  hasSecret: boolean;
}

function metadataOf({ name, redirectUris, secret }: Omit<EnteredProgram, 'hasSecret'> & { secret: string | null }) {
  const method = secret === null ? 'none' : 'client_secret_basic';
  try {
    const sent = { client_name: name, redirect_uris: redirectUris, token_endpoint_auth_method: method };
    return { ...normalMetadata(sent), ...(secret !== null && { client_secret: hashOfSecret(secret) }) };
  } catch (error) {
    if (error instanceof RedirectUrisInvalid) throw new InvalidProgram(error.message);
    throw error;
  }
}
