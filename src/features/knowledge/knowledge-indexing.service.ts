import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IndexBuilding } from '../../platform/service-info/index-building.service.js';
import { KnowledgeService } from './knowledge.service.js';

/** At start, indexes documents from an import of the whole database. */
@Injectable()
export class KnowledgeIndexing implements OnApplicationBootstrap {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly building: IndexBuilding,
  ) {}

  onApplicationBootstrap(): void {
    this.building.begin('knowledge', () => this.knowledge.indexMissing());
  }
}
