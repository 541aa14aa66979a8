import {
  ProtocolError,
  type ServerContext,
  type StandardSchemaV1,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { callerOf, ErrorCode } from '#mcp-http';
import type { Client } from '#skill-kit';
import { ResourceRouter } from '../../core/resources/resource.router.js';
import { packageUri, parsePackageUri } from '../../features/packages/files/package-path.rules.js';
import { describePackages } from '../../features/packages/files/package-text.rules.js';
import { SKILL_FILE, type SkillPackage } from '../../features/packages/files/package.js';
import { PackageUses } from '../../features/packages/package-uses.service.js';
import { uriOfPackage } from '../../features/packages/skill-packages.provider.js';
import { SkillPackages } from '../../features/packages/skill-packages.service.js';
import { parseCursor, toCursor } from '../../platform/paging/page-cursor.js';
import { type Capability, handler } from './capability.js';

/** The identifier of the Skills extension (modelcontextprotocol/ext-skills, specification/stable/skills.mdx). */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';
/** Further skills are added to a page only up to this many files. A page has at least one skill, and skills are never split. */
const FILES_PER_PAGE = 2_000;
const DIRECTORY = 'inode/directory';
/** Skills may change at any moment, and depend on the client. */
const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } as const;

interface UriParams {
  uri: string;
  cursor?: string;
}

/** `skills/list`, `skills/get` and `resources/directory/read` of the Skills extension. */
@Injectable()
export class SkillPackagesCapability implements Capability {
  readonly handlers = [
    handler('skills/list', specTypeSchemas.PaginatedRequestParams, async (params, ctx) =>
      this.list(params?.cursor, ctx),
    ),
    handler('skills/get', URI_PARAMS, async ({ uri }, ctx) => this.get(uri, ctx)),
    handler('resources/directory/read', URI_PARAMS, async (params, ctx) => this.directory(params, ctx)),
  ];

  constructor(
    private readonly packages: SkillPackages,
    private readonly resources: ResourceRouter,
    private readonly uses: PackageUses,
  ) {}

  /** Returns the skills for the instructions of the service, most used first; empty when the client has none. */
  instructionsFor(client: Client, mostBytes: number): string {
    const readable = this.packages.listEnabled().filter((one) => this.resources.mayRead(client, uriOfPackage(one)));
    const described = this.uses
      .sorted(readable)
      .map(({ name, frontmatter }) => ({ name, description: frontmatter.description }));
    return describePackages(described, mostBytes);
  }

  private list(cursor: string | undefined, ctx: ServerContext) {
    const [after = ''] = cursor === undefined ? [] : parseCursor(cursor, 1);
    const readable = this.packages
      .listEnabled()
      .filter((one) => one.name > after && this.resources.mayRead(callerOf<Client>(ctx), uriOfPackage(one)));
    let files = 0;
    const end = readable.findIndex((one, index) => (files += one.files.length) > FILES_PER_PAGE && index > 0);
    const page = end < 0 ? readable : readable.slice(0, end);
    const last = end < 0 ? undefined : page.at(-1);
    return { ...COMPLETE, skills: page.map(toSkill), ...(last && { nextCursor: toCursor(last.name) }) };
  }

  private get(uri: string, ctx: ServerContext) {
    const { name, path } = parsePackageUri(uri) ?? {};
    const found = path === SKILL_FILE && name !== undefined ? this.packages.findEnabled(name) : undefined;
    if (!found) throw invalid(`There is no skill at ${uri}: skills/list says which skills there are.`);
    this.resources.assertMayRead(callerOf<Client>(ctx), uriOfPackage(found));
    return { ...COMPLETE, skill: toSkill(found) };
  }

  private directory({ uri, cursor }: UriParams, ctx: ServerContext) {
    // The first page has all entries of a directory.
    if (cursor !== undefined) throw invalid('Invalid cursor: a directory has one page, which is without nextCursor.');
    const { name, path } = parsePackageUri(uri) ?? {};
    const found = name === undefined ? undefined : this.packages.findEnabled(name);
    if (found) this.resources.assertMayRead(callerOf<Client>(ctx), uriOfPackage(found));
    const children = found ? childrenOf(found, path ?? '') : [];
    if (children.length === 0)
      throw invalid(
        `${uri} is no directory: skill://{name} is one, and so is each folder in a skill, without a / at its end.`,
      );
    return { resultType: 'complete', resources: children };
  }
}

const toSkill = ({ name, frontmatter, files }: SkillPackage) => ({
  uri: packageUri(name, SKILL_FILE),
  frontmatter,
  resources: files.map(({ path, digest, size }) => ({ uri: packageUri(name, path), digest, size })),
});

/** Returns the direct children of a folder of a package; none when there is no such folder. */
function childrenOf({ name, files, frontmatter }: SkillPackage, folder: string) {
  const prefix = folder === '' ? '' : `${folder}/`;
  const folders = new Set<string>();
  const children: { uri: string; name: string; mimeType: string; description?: string; size?: number }[] = [];
  for (const { path, mimeType, size } of files) {
    if (!path.startsWith(prefix)) continue;
    const [child = '', ...rest] = path.slice(prefix.length).split('/');
    const uri = packageUri(name, prefix + child);
    if (rest.length === 0) {
      // In every list, the resource of SKILL.md has the name of the skill.
      const about = path === SKILL_FILE ? { name, description: frontmatter.description } : { name: child };
      children.push({ uri, ...about, mimeType, size });
    } else if (!folders.has(child)) {
      folders.add(child);
      children.push({ uri, name: child, mimeType: DIRECTORY });
    }
  }
  return children;
}

const URI_PARAMS: StandardSchemaV1<UriParams, UriParams> = {
  '~standard': {
    version: 1,
    vendor: 'agent-service',
    validate: (value) => {
      const { uri, cursor } = Object(value) as Record<string, unknown>;
      if (typeof uri !== 'string') return { issues: [{ message: 'must be a string', path: ['uri'] }] };
      if (cursor !== undefined && typeof cursor !== 'string')
        return { issues: [{ message: 'must be a string', path: ['cursor'] }] };
      return { value: { uri, ...(cursor !== undefined && { cursor }) } };
    },
  },
};

const invalid = (message: string) => new ProtocolError(ErrorCode.invalidParams, message);
