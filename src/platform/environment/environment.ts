import { plainToInstance, Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
  type ValidationOptions,
} from 'class-validator';
import { isLoopbackHost } from '#mcp-http';
import { checkOverride, environmentVariableOf, isCredentialKey, SETTING_KEYS } from '../settings/settings.rules.js';
import { type SettingInput, type SettingKey, SETTINGS } from '../settings/settings.schema.js';
import { DEFAULT_HOST, DEFAULT_PORT } from './address.rules.js';
import { InvalidEnvironment } from './environment.errors.js';
import { SEALING_KEY_MEANING, standsForSealingKey } from './sealing-key.rules.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const WORKFLOW_ENGINES = ['embedded', 'restate'] as const;
const ENDPOINT_PORT_RANGE = { message: 'RESTATE_ENDPOINT_PORT must be 1-65535' };
const PORT_RANGE = { message: 'PORT must be 1-65535' };
const HTTP_URL = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

const IsSealingKey = (options: ValidationOptions) =>
  ValidateBy({ name: 'isSealingKey', validator: { validate: (value) => standsForSealingKey(String(value)) } }, options);

class Variables {
  @Type(() => Number)
  @IsInt(PORT_RANGE)
  @Min(1, PORT_RANGE)
  @Max(65535, PORT_RANGE)
  readonly PORT: number = DEFAULT_PORT;

  @Matches(/^\S+$/, { message: 'HOST must be a host name or an IP address' })
  readonly HOST: string = DEFAULT_HOST;

  readonly DATA_DIR: string = './data';

  readonly WORKFLOWS_DIR: string = './workflows';

  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/./, { message: 'DATABASE_URL must start with postgres://' })
  readonly DATABASE_URL: string | null = null;

  @IsOptional()
  @MinLength(8, { message: 'ADMIN_PASSWORD must have at least 8 characters' })
  readonly ADMIN_PASSWORD: string | null = null;

  @IsOptional()
  @IsSealingKey({ message: `SECRETS_KEY must be ${SEALING_KEY_MEANING}` })
  readonly SECRETS_KEY: string | null = null;

  readonly SECRETS_KEY_FILE: string | null = null;

  @IsOptional()
  @IsUrl(HTTP_URL, { message: 'PUBLIC_URL must be an http:// or https:// URL' })
  readonly PUBLIC_URL: string | null = null;

  @IsIn(WORKFLOW_ENGINES, { message: `WORKFLOW_ENGINE must be one of ${WORKFLOW_ENGINES.join(', ')}` })
  readonly WORKFLOW_ENGINE: (typeof WORKFLOW_ENGINES)[number] = 'embedded';

  @IsOptional()
  @IsUrl(HTTP_URL, { message: 'RESTATE_INGRESS_URL must be an http:// or https:// URL' })
  readonly RESTATE_INGRESS_URL: string | null = null;

  @IsOptional()
  @IsUrl(HTTP_URL, { message: 'RESTATE_ADMIN_URL must be an http:// or https:// URL' })
  readonly RESTATE_ADMIN_URL: string | null = null;

  /** By which the cluster reaches the replicas. */
  @IsOptional()
  @IsUrl(HTTP_URL, { message: 'RESTATE_ENDPOINT_URL must be an http:// or https:// URL' })
  readonly RESTATE_ENDPOINT_URL: string | null = null;

  @Type(() => Number)
  @IsInt(ENDPOINT_PORT_RANGE)
  @Min(1, ENDPOINT_PORT_RANGE)
  @Max(65535, ENDPOINT_PORT_RANGE)
  readonly RESTATE_ENDPOINT_PORT: number = 9080;

  @IsOptional()
  @Matches(/^publickeyv1_\w+(\s*,\s*publickeyv1_\w+)*$/, {
    message: 'RESTATE_IDENTITY_KEYS must be public keys like publickeyv1_..., separated by commas',
  })
  readonly RESTATE_IDENTITY_KEYS: string | null = null;

  @IsIn(LOG_LEVELS, { message: `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}` })
  readonly LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';
}

/** The environment variables, read once at start. Inject this class. */
export class Environment extends Variables {
  /** Settings that the environment decides. An administrator cannot change them. */
  readonly settings: ReadonlyMap<SettingKey, SettingInput> = new Map();
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

// Otherwise an administrator could point the URL at another server and have the key sent there.
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
 * Returns the host names, beside loopback, by which this service may be addressed; null when any name is accepted, because
 * it listens on the network.
 */
export function publishedHostsOf({ HOST, PUBLIC_URL }: Environment): readonly string[] | null {
  if (!isLoopbackHost(HOST)) return null;
  return PUBLIC_URL === null ? [] : [new URL(PUBLIC_URL).hostname];
}
