import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Lack, searchedPart } from '../../platform/text/search-lacks.rules.js';
import { isEmptyQuery, parseTextQuery } from '../../platform/text/text-query.rules.js';
import { fuseWithSemantic } from '../semantic/rank-fusion.rules.js';
import { SemanticSearch } from '../semantic/semantic-search.js';
import type { SkillPackage } from './files/package.js';
import { PackageLists } from './package-lists.store.js';
import { PackageVectors } from './package-vectors.store.js';
import { SkillPackages } from './skill-packages.service.js';

export interface PackageQuery {
  query: string;
  limit: number;
  /** Collects what the results lack. */
  lacks?: Set<Lack> | undefined;
  signal?: AbortSignal | undefined;
}

/** Maximum number of semantic matches; more would be useless. */
const MOST_MEANT = 50;

/** Finds packages by words and by semantic search. */
@Injectable()
export class PackageSearch implements OnModuleInit {
  constructor(
    private readonly packages: SkillPackages,
    private readonly lists: PackageLists,
    private readonly meaning: SemanticSearch,
    private readonly vectors: PackageVectors,
  ) {}

  onModuleInit(): void {
    this.meaning.register(this.vectors);
  }

  /** Returns the best matching enabled packages, best first. */
  async search({ query: asked, limit, lacks, signal }: PackageQuery): Promise<SkillPackage[]> {
    const query = searchedPart(asked, lacks);
    const parsed = parseTextQuery(query);
    if (isEmptyQuery(parsed)) return [];
    const [worded, meant] = await Promise.all([
      this.lists.search(parsed, limit, signal),
      // A quoted phrase asks for exact words.
      parsed.phrases.length > 0 ? [] : this.findByMeaning({ query, limit: MOST_MEANT, lacks }),
    ]);
    const hasAllWords = worded.some(({ has }) => has === 'all');
    const ids = fuseWithSemantic(idsOf(worded), idsOf(meant), hasAllWords).slice(0, limit);
    const names = await this.lists.listNames(ids);
    return ids.flatMap((id) => this.packages.findEnabled(names.get(id) ?? '') ?? []);
  }

  private async findByMeaning(query: Omit<PackageQuery, 'signal'>) {
    const found = await this.meaning.find(this.vectors, { ...query, among: this.vectors.enabled });
    return found.filter(({ isEnough }) => isEnough);
  }
}

const idsOf = (found: readonly { id: number }[]): number[] => found.map(({ id }) => id);
