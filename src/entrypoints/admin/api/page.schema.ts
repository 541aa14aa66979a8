import type { Type as Class } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { Page } from '../../../platform/paging/page-cursor.js';

export class PageQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsInt()
  @Min(1)
  @Max(200)
  @Type(() => Number)
  limit: number = 50;

  @ApiPropertyOptional({ maxLength: 2000, description: 'The nextCursor of the previous page.' })
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  cursor?: string;
}

/** A query for a list that can also be searched. */
export class SearchQuery extends PageQuery {
  @ApiPropertyOptional({
    maxLength: 1000,
    description: 'Text to search for. With it, the best match comes first, and there is only one page.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  q?: string;
}

/** Returns the class of a page of items. */
export function PageOf<Item>(item: Class<Item>): Class<Page<Item>> {
  class ItemPage implements Page<Item> {
    @ApiProperty({ type: [item] })
    items!: Item[];

    @ApiProperty({ type: String, nullable: true, description: 'Cursor of the next page; null on the last page.' })
    nextCursor!: string | null;
  }
  Object.defineProperty(ItemPage, 'name', { value: `${item.name}Page` });
  return ItemPage;
}
