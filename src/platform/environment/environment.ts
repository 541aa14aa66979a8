import { isIPv6 } from 'node:net';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsOptional,
  Matches,
  MinLength,
  ValidateBy,
  validateSync,
  type ValidationOptions,
  IsIn,
  IsInt,
  isURL,
  IsUrl,
  Max,
  Min,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { isLoopbackHost } from '#mcp-http';
import { checkOverride, environmentVariableOf, isCredentialKey, SETTING_KEYS } from '../settings/settings.rules.js';
import { type SettingInput, type SettingKey, SETTINGS } from '../settings/settings.schema.js';
import { DEFAULT_HOST, DEFAULT_PORT } from './address.rules.js';
import { unknownTlsIn, withVerifiedTls } from './postgres-tls.rules.js';
import { SEALING_KEY_MEANING, standsForSealingKey } from './sealing-key.rules.js';
import { AppError } from '../errors/app-error.js';

/** Thrown at start with all problems of the environment. */
export class InvalidEnvironment extends AppError {
  constructor(readonly problems: readonly string[]) {
    super(
      'invalid',
      'config.invalid_environment',
      `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}: ${problems.join('; ')}`,
    );
  }
}

const MEANING = Symbol('the meaning of a variable');
const PORT = { message: '$property must be 1-65535' };

/** Documents an environment variable; the manual is generated from it. */
const Says = (meaning: string): PropertyDecorator => Reflect.metadata(MEANING, meaning);

const meaningOf = (variables: object, name: string): string | undefined =>
  Reflect.getMetadata(MEANING, variables, name) as string | undefined;

const Port = (says: string) =>
  applyDecorators(
    Says(says),
    Transform(({ value }: { value: unknown }) => (/^\d+$/.test(String(value)) ? Number(value) : value)),
    IsInt(PORT),
    Min(1, PORT),
    Max(65535, PORT),
  );

const HTTP_URL = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

const HttpUrl = (says: string) =>
  applyDecorators(
    Says(says),
    IsOptional(),
    IsUrl(HTTP_URL, { message: '$property must be an http:// or https:// URL' }),
  );

const OF_A_HOST = { ...HTTP_URL, disallow_auth: true, allow_query_components: false, allow_fragments: false };
const isUrlOfHost = (value: unknown) =>
  typeof value === 'string' && isURL(value, OF_A_HOST) && /^https?:\/\/[^/]+$/i.test(value);

/** The URL of a whole host: trailing slashes are removed. */
const HostUrl = (says: string) =>
  applyDecorators(
    Says(says),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(/\/+$/, '') : value)),
    IsOptional(),
    ValidateBy(
      { name: 'isUrlOfHost', validator: { validate: isUrlOfHost } },
      {
        message:
          '$property must be an http:// or https:// URL without credentials, path, query and fragment: ' +
          'the service needs a host name or a port of its own',
      },
    ),
  );

const OneOf = (values: readonly string[], says: string) =>
  applyDecorators(Says(says), IsIn(values, { message: `$property must be one of ${values.join(', ')}` }));

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const WORKFLOW_ENGINES = ['embedded', 'restate'] as const;

const IsSealingKey = (options: ValidationOptions) =>
  ValidateBy({ name: 'isSealingKey', validator: { validate: (value) => standsForSealingKey(String(value)) } }, options);

const KnowsTls = () =>
  ValidateBy({
    name: 'knowsTls',
    validator: {
      validate: (value) => unknownTlsIn(String(value)) === null,
      defaultMessage: (failed) => `DATABASE_URL: ${unknownTlsIn(String(failed?.value))}`,
    },
  });

class Variables {
  @Port('Port of the service.')
  readonly PORT: number = DEFAULT_PORT;

  @Says('Address that the service listens on. `0.0.0.0` is every network interface.')
  @Matches(/^\S+$/, { message: 'HOST must be a host name or an IP address' })
  readonly HOST: string = DEFAULT_HOST;

  @Says('Folder of the embedded database, and of the key that encrypts stored credentials.')
  readonly DATA_DIR: string = './data';

  @Says('Folder of workflows: its `*.yaml` and `*.yml` files.')
  readonly WORKFLOWS_DIR: string = './workflows';

  @Says('Folder of skill packages, its folders with a `SKILL.md`, and of skill modules, its `.ts` and `.js` files.')
  readonly SKILLS_DIR: string = './skills';

  @Says(
    'PostgreSQL 15 or newer, instead of the embedded database: `postgres://user:password@host/name`. Replicas share it.',
  )
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? withVerifiedTls(value) : value))
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/./, { message: 'DATABASE_URL must start with postgres://' })
  @KnowsTls()
  readonly DATABASE_URL: string | null = null;

  @Says(
    'Password of the account `admin`, at least 8 characters. Without it, the first start generates one and prints it once. ' +
      'All replicas need the same.',
  )
  @IsOptional()
  @MinLength(8, { message: 'ADMIN_PASSWORD must have at least 8 characters' })
  readonly ADMIN_PASSWORD: string | null = null;

  @Says(`Key that encrypts stored credentials: ${SEALING_KEY_MEANING}.`)
  @IsOptional()
  @IsSealingKey({ message: `SECRETS_KEY must be ${SEALING_KEY_MEANING}` })
  readonly SECRETS_KEY: string | null = null;

  @Says(
    'File that holds this key. Without both, the key is `secrets.key` in `DATA_DIR`, generated when it is first needed.',
  )
  readonly SECRETS_KEY_FILE: string | null = null;

  @HostUrl(
    'URL under which clients reach the service, such as `https://agents.example.com`, without a path: shown in client ' +
      'snippets, and accepted as `Host` and `Origin`. Set it behind a proxy.',
  )
  readonly PUBLIC_URL: string | null = null;

  @OneOf(
    WORKFLOW_ENGINES,
    'Engine of workflows: `embedded`, or `restate` for a Restate cluster, which needs the URLs below.',
  )
  readonly WORKFLOW_ENGINE: (typeof WORKFLOW_ENGINES)[number] = 'embedded';

  @HttpUrl('Ingress of the Restate cluster, such as `http://restate:8080`.')
  readonly RESTATE_INGRESS_URL: string | null = null;

  @HttpUrl('Admin API of the Restate cluster, such as `http://restate:9070`.')
  readonly RESTATE_ADMIN_URL: string | null = null;

  @HttpUrl('URL by which the Restate cluster reaches the replicas, such as `http://agent-service:9080`.')
  readonly RESTATE_ENDPOINT_URL: string | null = null;

  @Port('Port on which each replica listens for the Restate cluster, on the address of `HOST`.')
  readonly RESTATE_ENDPOINT_PORT: number = 9080;

  @Says(
    'Public keys of the Restate cluster (`publickeyv1_...`), separated by commas: then only signed requests are ' +
      'executed. Without them, whoever reaches the port can execute runs.',
  )
  @IsOptional()
  @Matches(/^publickeyv1_\w+(\s*,\s*publickeyv1_\w+)*$/, {
    message: 'RESTATE_IDENTITY_KEYS must be public keys like publickeyv1_..., separated by commas',
  })
  readonly RESTATE_IDENTITY_KEYS: string | null = null;

  @OneOf(
    LOG_LEVELS,
    `Level of the log, which has one JSON object a line on stderr: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}. ` +
      'While something is unavailable, each kind of failure is written once a minute, with the number `omitted` before it.',
  )
  readonly LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';
}

/** The environment variables, read once at start. Inject this class. */
export class Environment extends Variables {
  /** Settings that environment variables override. An administrator cannot change them. */
  readonly settings: ReadonlyMap<SettingKey, SettingInput> = new Map();
}

interface DescribedVariable {
  name: string;
  default: string | number | null;
  meaning: string | undefined;
}

/** Describes every variable of `Environment` for the manual, in the order of their declaration. */
export function describeVariables(): DescribedVariable[] {
  const defaults = new Variables();
  return Object.entries(defaults).map(([name, value]: [string, string | number | null]) => ({
    name,
    default: value,
    meaning: meaningOf(defaults, name),
  }));
}

/** Parses the environment variables; an empty one counts as unset. @throws InvalidEnvironment with all problems at once */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(Object.keys(new Variables()).flatMap((name) => entryOf(variables, name)));
  const environment = plainToInstance(Variables, given, { exposeDefaultValues: true });
  const problems = validateSync(environment, { stopAtFirstError: true, forbidUnknownValues: false }).flatMap((error) =>
    Object.values(error.constraints ?? {}),
  );
  const settings = new Map<SettingKey, SettingInput>();
  for (const key of SETTING_KEYS) {
    const [[name, text] = []] = entryOf(variables, environmentVariableOf(key));
    if (name === undefined || text === undefined) continue;
    const checked = checkOverride(key, text);
    if ('problem' in checked) problems.push(`${name} ${checked.problem}`);
    else settings.set(key, checked.value);
  }
  problems.push(...credentialsWithoutServer(settings), ...missingForEngine(environment));
  if (problems.length > 0) throw new InvalidEnvironment(problems);
  return Object.freeze(Object.assign(new Environment(), environment, { settings }));
}

// Otherwise an administrator could change the URL and have the key sent to another server.
function credentialsWithoutServer(settings: ReadonlyMap<SettingKey, SettingInput>): string[] {
  return SETTING_KEYS.filter(isCredentialKey)
    .filter((key) => settings.has(key) && !settings.has(SETTINGS[key].for))
    .map((key) => {
      const [variable, server] = [environmentVariableOf(key), environmentVariableOf(SETTINGS[key].for)];
      return `${variable} needs ${server} to be set, too: a key is for one server`;
    });
}

function missingForEngine(environment: Variables): string[] {
  if (environment.WORKFLOW_ENGINE !== 'restate') return [];
  return (['RESTATE_INGRESS_URL', 'RESTATE_ADMIN_URL', 'RESTATE_ENDPOINT_URL'] as const)
    .filter((name) => environment[name] === null)
    .map((name) => `WORKFLOW_ENGINE=restate needs ${name} to be set, too`);
}

function entryOf(variables: Record<string, string | undefined>, name: string): [string, string][] {
  const value = variables[name];
  return value === undefined || value === '' ? [] : [[name, value]];
}

/**
 * Returns the host names besides loopback under which this service may be addressed; null when any name is accepted, because it
 * listens on the network.
 */
export function publishedHostsOf({ HOST, PUBLIC_URL }: Environment): readonly string[] | null {
  if (!isLoopbackHost(HOST)) return null;
  return PUBLIC_URL === null ? [] : [new URL(PUBLIC_URL).hostname];
}

/** Returns the URL that users see: PUBLIC_URL, or else the listening address. */
export function addressForUsers({ HOST, PORT, PUBLIC_URL }: Environment): string {
  if (PUBLIC_URL !== null) return PUBLIC_URL;
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${PORT}`;
}
