import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { AppError } from '../../platform/errors/app-error.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { personName } from '../clients/person.js';
import { ArtifactStore } from './artifact.store.js';
import { isSecret } from './client-secret.rules.js';
import { errorPage } from './error-page.rules.js';
import { Grants } from './grants.service.js';
import { adapterFor } from './model-adapter.js';
import { TooManyPrograms } from './oauth.errors.js';
import { OAuthAddresses, SCOPE } from '../clients/oauth-addresses.service.js';
import { ProgramDocuments } from './program-documents.service.js';
import { normalMetadata, type ProgramMetadata } from './program-metadata.rules.js';
import { configurationOf, METHODS, SIGN_IN_LIFETIME_S } from './provider-configuration.js';
import { isRegistered } from './redirect-uri.rules.js';
import { RegisteredPrograms } from './registered-programs.service.js';

/** The path of the REST resource of a sign-in; the cookie that binds it to its browser is only sent there. */
const SIGN_INS_PATH = '/admin/api/sign-ins';
export const SIGN_IN_COOKIE = 'agent_sign_in';

@Injectable()
export class OAuthStores {
  constructor(
    readonly artifacts: ArtifactStore,
    readonly grants: Grants,
    readonly programs: RegisteredPrograms,
    readonly documents: ProgramDocuments,
  ) {}
}

/** The authorization server, loaded on first use. */
@Injectable()
export class AuthorizationServer {
  private readonly logger = new Logger(AuthorizationServer.name);
  private loading: Promise<Provider> | null = null; // null = not used yet

  constructor(
    private readonly addresses: OAuthAddresses,
    private readonly secrets: SecretsService,
    private readonly stores: OAuthStores,
    private readonly clients: ClientsService,
  ) {}

  /** Returns the server. Its state is in the database, shared by all replicas. */
  provider(): Promise<Provider> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = null;
      throw error;
    });
    return this.loading;
  }

  /** Answers a request whose `url` is a path below the issuer. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const provider = await this.provider();
    await provider.callback()(req, res);
  }

  private async load(): Promise<Provider> {
    const { default: Provider, errors, interactionPolicy } = await loadLibrary();
    const secret = await this.secrets.get('oauth');
    const { Check, Prompt } = interactionPolicy;
    const isAllowed = ({ oidc }: KoaContextWithOIDC) => oidc.result?.consent?.grantId !== undefined;
    const consent = new Prompt(
      { name: 'consent', requestable: true },
      new Check('not_asked', 'a person must sign in and allow it', 'interaction_required', (ctx) => !isAllowed(ctx)),
    );
    const { artifacts, grants, programs, documents } = this.stores;
    const invalidGrant = (why: string) => new errors.InvalidGrant(why);
    const exchangedCode = () => Provider.ctx?.oidc.entities.AuthorizationCode?.jti;
    const provider = new Provider(
      this.addresses.issuer,
      configurationOf(
        {
          secret,
          adapter: (kind) => adapterFor(kind, { artifacts, grants, programs, exchangedCode, invalidGrant }),
          fetch: documents.fetch,
          findAccount: (ctx, name) => this.findAccount(ctx, name),
          renderError: (ctx, out) => errorPage(ctx, out),
          resourceOf: (indicator) => this.addresses.resourceOf(indicator),
          unknownResource: () => new errors.InvalidTarget('there is no such endpoint here'),
          signInUrl: (ctx, id) => this.signInUrl(ctx, id),
          mayUseDocument: (url) => programs.mayUseDocument(url),
          normalise: (ctx) => {
            const { oidc } = ctx as KoaContextWithOIDC & { oidc: { body: ProgramMetadata } };
            try {
              oidc.body = normalMetadata(oidc.body);
            } catch (error) {
              throw new errors.InvalidClientMetadata(error instanceof Error ? error.message : String(error));
            }
          },
          newProgramId: () => randomUUID(),
        },
        [consent],
      ),
    );
    // The library also announces a scope and response modes that are not supported here.
    provider.use(async (ctx: KoaContextWithOIDC, next) => {
      await next();
      if (ctx.oidc.route !== 'discovery') return;
      Object.assign(ctx.body as object, {
        scopes_supported: [SCOPE],
        response_modes_supported: ['query'],
        revocation_endpoint_auth_methods_supported: METHODS,
        client_id_metadata_document_supported: programs.takesDocuments,
      });
    });
    // Cookies and links use PUBLIC_URL, whatever proxies are in between; the caller of `handle` sets the headers for it.
    provider.proxy = true;
    provider.Client.prototype.redirectUriAllowed = function isAllowedUri(uri: string) {
      return isRegistered(uri, this.redirectUris ?? []);
    };
    provider.Client.prototype.compareClientSecret = async function isSecretOf(presented: string) {
      return isSecret(presented, this.clientSecret);
    };
    this.answerUnavailable(provider);
    return provider;
  }

  /** Answers 503 instead of 500 when the service is temporarily unable to answer, so that programs retry and keep their login. */
  private answerUnavailable(provider: Provider): void {
    const failures = new WeakMap<object, unknown>();
    provider.on('server_error', (ctx, error) => failures.set(ctx, error));
    provider.use(async (ctx: KoaContextWithOIDC, next) => {
      await next();
      const error = failures.get(ctx);
      if (error === undefined) return;
      if (error instanceof AppError && error.kind === 'unavailable') return unavailable(ctx, error);
      this.logger.error({ err: error }, 'The authorization server failed');
    });
  }

  private findAccount: NonNullable<Configuration['findAccount']> = (ctx, name) => {
    // Programs also spell the address of the endpoint differently when they refresh.
    const { params } = ctx.oidc;
    if (typeof params?.['resource'] === 'string') {
      params['resource'] = this.addresses.resourceOf(params['resource']) ?? params['resource'];
    }
    return this.clients.find(personName(name)) ? { accountId: name, claims: async () => ({ sub: name }) } : undefined;
  };

  private signInUrl(ctx: KoaContextWithOIDC, id: string): string {
    ctx.cookies.set(SIGN_IN_COOKIE, id, {
      path: `${SIGN_INS_PATH}/${id}`,
      httpOnly: true,
      sameSite: 'lax',
      signed: false,
      maxAge: SIGN_IN_LIFETIME_S * 1000,
    });
    return `${this.addresses.publicUrl}/admin/sign-in/${id}`;
  }
}

const RETRY_AFTER_S = 10;
const UNAVAILABLE = 'the service cannot answer at the moment';

function unavailable(ctx: KoaContextWithOIDC, error: AppError): void {
  const seconds = error.retryAfterSeconds ?? RETRY_AFTER_S;
  ctx.status = 503;
  ctx.set('Retry-After', String(seconds));
  // Do not show internal errors to strangers.
  const reason = error instanceof TooManyPrograms ? error.message : UNAVAILABLE;
  const description = `${reason}: try again in ${seconds} s`;
  errorPage(ctx, { error: 'temporarily_unavailable', error_description: description });
}

/** Loads the library, which warns on every Node.js release line that is not yet in long-term support. */
async function loadLibrary(): Promise<typeof import('oidc-provider')> {
  const { warn } = console;
  console.warn = (...args: unknown[]) => {
    if (!String(args[0]).includes('Unsupported runtime')) warn(...args);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
