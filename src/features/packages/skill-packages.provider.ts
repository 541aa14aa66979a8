import { Injectable } from '@nestjs/common';
import type {
  Completion,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  ResourceWatcher,
} from '../../core/resources/resource-store.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { mapPage, type Page, pageOfSorted, type PageRequest } from '../../platform/paging/page-cursor.js';
import { isTextual, textOf } from './files/package-check.rules.js';
import { packageUri, parsePackageUri, pathProblem } from './files/package-path.rules.js';
import { factsOf, isPackageName } from './files/skill-file.rules.js';
import { SKILL_FILE, type SkillPackage } from './files/package.js';
import { SkillPackages } from './skill-packages.service.js';

const MARKDOWN = 'text/markdown';

/** Returns the URI that represents a package, with all of its files, for policies and subscriptions. */
export const uriOfPackage = ({ name }: Pick<SkillPackage, 'name'>): string => packageUri(name, SKILL_FILE);

/**
 * Serves `skill://{name}/{path}`, the files of skill packages (modelcontextprotocol/ext-skills, specification/stable/skills.mdx,
 * "Resource Mapping"). For policies and subscriptions, a package is one resource: permission to read its SKILL.md covers all
 * files, and watching a file notifies of each new version.
 */
@Injectable()
export class SkillPackageResources implements ResourceStore {
  readonly scheme = 'skill';
  readonly position = 8;

  constructor(
    private readonly packages: SkillPackages,
    private readonly events: EventBus,
  ) {}

  /** Returns the tags of the package of a canonical URI, as policies see them. */
  tagsOf(uri: string): readonly string[] {
    const found = this.packages.find(parsePackageUri(uri)?.name ?? '');
    return found ? factsOf(found.frontmatter).tags : [];
  }

  listPage(page: PageRequest): Promise<Page<ResourceEntry>> {
    const found = pageOfSorted(this.packages.listEnabled(), page, ({ name }) => name);
    return Promise.resolve(mapPage(found, (one) => toEntry(one)));
  }

  templates(): ResourceTemplateEntry[] {
    return [
      {
        uriTemplate: `skill://{name}/${SKILL_FILE}`,
        name: 'Skill',
        description: 'Instructions of the team for a kind of task; they name the other files of the skill',
        mimeType: MARKDOWN,
      },
    ];
  }

  canonical(uri: string): string | null {
    const { name, path } = parsePackageUri(uri) ?? { name: '', path: '' };
    return isPackageName(name) && (path === '' || pathProblem(path) === null) ? packageUri(name, SKILL_FILE) : null;
  }

  async read(uri: string): Promise<ResourceContent[] | null> {
    const { name, path } = parsePackageUri(uri) ?? { name: '', path: '' };
    const found = this.packages.findEnabled(name);
    const file = found?.files.find((one) => one.path === path);
    const bytes = found && file && (await this.packages.readFile(found, path));
    if (!bytes) return null;
    const { mimeType } = file;
    return [
      isTextual(bytes)
        ? { uri, mimeType, text: textOf(bytes) }
        : { uri, mimeType, blob: Buffer.from(bytes).toString('base64') },
    ];
  }

  complete({ prefix, limit }: Completion): Promise<string[]> {
    const names = this.packages.listEnabled().map(({ name }) => name);
    return Promise.resolve(names.filter((name) => name.startsWith(prefix)).slice(0, limit));
  }

  watch(watcher: ResourceWatcher): () => void {
    return this.events.on('packages.changed', ({ names, isFromElsewhere }) => {
      // The replica that made the change notifies the clients of all replicas.
      if (isFromElsewhere) return;
      for (const name of names) watcher.updated(uriOfPackage({ name }));
      watcher.listChanged();
    });
  }
}

function toEntry({ name, frontmatter, files }: SkillPackage): ResourceEntry {
  const size = files.find(({ path }) => path === SKILL_FILE)?.size;
  return {
    uri: uriOfPackage({ name }),
    name,
    description: frontmatter.description,
    mimeType: MARKDOWN,
    ...(size !== undefined && { size }),
  };
}
