import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { ResourceRouter } from '../../../core/resources/resource.router.js';
import { PackageEdits } from '../editing/package-edits.service.js';
import type { PackedVersion } from '../editing/written-package.rules.js';
import { packageUri } from '../files/package-path.rules.js';
import { SKILL_FILE, type SkillPackage } from '../files/package.js';
import { PackageNotFound } from '../packages.errors.js';
import { uriOfPackage } from '../skill-packages.provider.js';
import { SkillPackages } from '../skill-packages.service.js';
import {
  filesIndexOf,
  type FilesIndex,
  type SharedSkill,
  skillsIndexOf,
  type SkillsIndex,
} from './skills-index.rules.js';

/** Serves enabled packages to programs that install skills. Every read is checked by policy, and recorded. */
@Injectable()
export class SharedPackages {
  /** Digests of archives by package, each with the digest of its package version. */
  private readonly archives = new Map<string, { of: string; digest: Promise<string> }>();

  constructor(
    private readonly packages: SkillPackages,
    private readonly resources: ResourceRouter,
    private readonly edits: PackageEdits,
  ) {}

  /** Returns the index with a digest for each package; builds missing archives. */
  async index(client: Client): Promise<SkillsIndex> {
    const readable = this.readableBy(client);
    const names = new Set(readable.map(({ name }) => name));
    for (const name of this.archives.keys()) if (!names.has(name)) this.archives.delete(name);
    const skills: SharedSkill[] = [];
    for (const one of readable) {
      const [only] = one.files;
      const digest = one.files.length === 1 && only ? only.digest : await this.archiveDigest(one);
      skills.push({ name: one.name, description: one.frontmatter.description, files: one.files, digest });
    }
    return skillsIndexOf(skills);
  }

  filesIndex(client: Client): FilesIndex {
    return filesIndexOf(
      this.readableBy(client).map(({ name, frontmatter, files }) => ({
        name,
        description: frontmatter.description,
        files,
      })),
    );
  }

  /** Returns a file of the current version. @throws ResourceNotFound, ResourceDenied */
  async file(client: Client, name: string, path: string): Promise<Uint8Array> {
    const [content] = await this.resources.read(client, packageUri(name, path));
    if (!content) throw new PackageNotFound(name, `file ${path}`);
    return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64');
  }

  /**
   * Returns the current version as a ZIP archive, with SKILL.md at the top level. @throws PackageNotFound, ResourceDenied,
   * JobAborted
   */
  async archive(client: Client, name: string): Promise<PackedVersion> {
    const found = this.packages.findEnabled(name);
    if (!found) throw new PackageNotFound(name);
    await this.resources.read(client, packageUri(name, SKILL_FILE));
    return this.edits.archive(name, found.version, { isInFolder: false });
  }

  private readableBy(client: Client): SkillPackage[] {
    return this.packages.listEnabled().filter((one) => this.resources.mayRead(client, uriOfPackage(one)));
  }

  private archiveDigest({ name, version, digest: of }: SkillPackage): Promise<string> {
    const known = this.archives.get(name);
    if (known?.of === of) return known.digest;
    const made = { of, digest: this.edits.archive(name, version, { isInFolder: false }).then(({ digest }) => digest) };
    this.archives.set(name, made);
    made.digest.catch(() => this.archives.get(name) === made && this.archives.delete(name));
    return made.digest;
  }
}
