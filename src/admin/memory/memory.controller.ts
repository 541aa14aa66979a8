import { Body, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { onePage, type Page } from '../../paging/page-cursor.js';
import { AdminMemory } from './admin-memory.service.js';
import { AdminController } from '../api/admin-controller.decorator.js';
import { PageOf } from '../api/page.schema.js';
import {
  MemoryBody,
  MemoryQuery,
  MemoryVersionView,
  MemoryView,
  NamespaceView,
  NewMemoryBody,
  SavedMemoryView,
} from './memory.schema.js';

@AdminController('memory')
export class MemoryController {
  constructor(private readonly memory: AdminMemory) {}

  /** The one changed last comes first; with `q`, the best match. */
  @Get()
  @ApiOkResponse({ type: PageOf(MemoryView) })
  list(@Query() query: MemoryQuery): Promise<Page<MemoryView>> {
    return this.memory.listPage(query);
  }

  /** By name; `shared` also while it is empty. */
  @Get('namespaces')
  @ApiOkResponse({ type: PageOf(NamespaceView), description: 'In one page.' })
  async namespaces(): Promise<Page<NamespaceView>> {
    return onePage(await this.memory.listNamespaces());
  }

  @Get(':namespace/:key')
  @ApiOkResponse({ type: MemoryView })
  get(@Param('namespace') namespace: string, @Param('key') key: string): Promise<MemoryView> {
    return this.memory.get(namespace, key);
  }

  /** What the entry said before, the latest first. */
  @Get(':namespace/:key/history')
  @ApiOkResponse({ type: PageOf(MemoryVersionView) })
  async history(@Param('namespace') namespace: string, @Param('key') key: string): Promise<Page<MemoryVersionView>> {
    return onePage(await this.memory.history(namespace, key));
  }

  /** Saving a key again supersedes what it said. */
  @Post()
  @ApiCreatedResponse({ type: SavedMemoryView })
  create(@Body() body: NewMemoryBody): Promise<SavedMemoryView> {
    return this.memory.save(body);
  }

  @Put(':namespace/:key')
  @ApiOkResponse({ type: SavedMemoryView })
  update(
    @Param('namespace') namespace: string,
    @Param('key') key: string,
    @Body() body: MemoryBody,
  ): Promise<SavedMemoryView> {
    return this.memory.update(namespace, key, body);
  }

  @Delete(':namespace/:key')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Forgotten, with its history.' })
  remove(@Param('namespace') namespace: string, @Param('key') key: string): Promise<void> {
    return this.memory.remove(namespace, key);
  }
}
