import type { Type as Class } from '@nestjs/common';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { Integer, Parts, Text } from './fields.decorators.js';

export class PageQuery {
  @Integer({ min: 1, max: 200, fromText: true, optional: true, default: 50 }) limit: number = 50;
  @Text({ max: 2000, optional: true, says: 'The nextCursor of the previous page.' }) cursor?: string;
}

export class SearchQuery extends PageQuery {
  @Text({
    max: 1000,
    optional: true,
    says: 'Text to search for. With it, the best match comes first, and there is only one page.',
  })
  q?: string;
}

export function PageOf<Item>(item: Class<Item>): Class<Page<Item>> {
  class ItemPage implements Page<Item> {
    @Parts(item) items!: Item[];

    @Text({ nullable: true, says: 'Cursor of the next page; null on the last page.' }) nextCursor!: string | null;
  }
  Object.defineProperty(ItemPage, 'name', { value: `${item.name}Page` });
  return ItemPage;
}
