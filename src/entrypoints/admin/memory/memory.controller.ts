import { Body, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { MemoryConflict } from '../../../features/memory/memory.errors.js';
import { MemoryService } from '../../../features/memory/memory.service.js';
import { mapPage, onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, AuditsState } from '../api/audited.decorator.js';
import {
  ChecksVersion,
  IfMatchNumber,
  MayOnlyAdd,
  OnlyAdds,
  ReturnsVersion,
} from '../api/versions/versions.decorators.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { PageOf } from '../api/page.schema.js';
import {
  MemoryBody,
  MemoryQuery,
  MemoryVersionView,
  MemoryView,
  NamespaceView,
  NewMemoryBody,
  SavedMemoryView,
  toMemoryView,
} from './memory.schema.js';

const CLIENT = 'admin';

@AdminController('memory')
export class MemoryController {
  constructor(private readonly memory: MemoryService) {}

  @Get()
  @Operation(
    'listMemory',
    'Lists or searches the entries of the memory',
    'Without `q`, the entry that was changed last comes first; with `q`, the best match.',
  )
  @Returns(PageOf(MemoryView))
  async list(@Query() { q, ...page }: MemoryQuery): Promise<Page<MemoryView>> {
    if (!q) return mapPage(await this.memory.listPage(page), toMemoryView);
    const hits = await this.memory.search({ query: q, namespace: page.namespace, limit: page.limit });
    return onePage(hits.map(({ entry }) => toMemoryView(entry)));
  }

  @Get('namespaces')
  @Operation('listNamespaces', 'Lists the namespaces by name', '`shared` is always among them, even while it is empty.')
  @Returns(PageOf(NamespaceView), 'All namespaces in one page.')
  async namespaces(): Promise<Page<NamespaceView>> {
    return onePage(await this.memory.listNamespaceSizes());
  }

  @Get(':namespace/:key')
  @Operation('getMemory', 'Returns one entry')
  @Returns(MemoryView)
  @ReturnsVersion()
  async get(@Param('namespace') namespace: string, @Param('key') key: string): Promise<MemoryView> {
    return toMemoryView(await this.memory.get(namespace, key));
  }

  @Get(':namespace/:key/history')
  @Operation('getMemoryHistory', 'Returns the previous versions of an entry, the latest first')
  @Returns(PageOf(MemoryVersionView))
  async history(@Param('namespace') namespace: string, @Param('key') key: string): Promise<Page<MemoryVersionView>> {
    return onePage(await this.memory.history(namespace, key));
  }

  @NeedsRole('editor')
  @Post()
  @Audited({ recordsResult: true })
  @Operation('saveMemory', 'Saves an entry', 'If the key exists, the entry gets a new version.')
  @Creates(SavedMemoryView)
  @MayOnlyAdd()
  create(@Body() body: NewMemoryBody, @OnlyAdds() version?: number): Promise<SavedMemoryView> {
    return this.save(body, version);
  }

  @NeedsRole('editor')
  @Put(':namespace/:key')
  @AuditsState('namespace', 'key')
  @Operation('updateMemory', 'Saves a new version of an existing entry')
  @Returns(SavedMemoryView)
  @ChecksVersion()
  @ReturnsVersion()
  async update(
    @Param('namespace') namespace: string,
    @Param('key') key: string,
    @Body() body: MemoryBody,
    @IfMatchNumber() version?: number,
  ): Promise<SavedMemoryView> {
    await this.memory.get(namespace, key);
    return this.save({ ...body, namespace, key }, version);
  }

  @NeedsRole('editor')
  @Delete(':namespace/:key')
  @AuditsState('namespace', 'key')
  @Operation('deleteMemory', 'Deletes an entry and its history')
  @NoContent('The entry and its history are deleted.')
  @ChecksVersion()
  remove(
    @Param('namespace') namespace: string,
    @Param('key') key: string,
    @IfMatchNumber() version?: number,
  ): Promise<void> {
    return this.memory.remove(namespace, key, version).catch(withPresent);
  }

  private async save(
    { tags, importance, namespace, ...body }: NewMemoryBody,
    basedOn?: number,
  ): Promise<SavedMemoryView> {
    const given = { tags: tags ?? undefined, importance: importance ?? undefined, namespace: namespace ?? undefined };
    const { outcome, entry, twin } = await this.memory
      .save({ ...body, ...given, basedOn, client: CLIENT })
      .catch(withPresent);
    return { ...toMemoryView(entry), outcome, sameAs: twin?.key ?? null };
  }
}

function withPresent(error: unknown): never {
  throw error instanceof MemoryConflict ? new OutdatedChange(error, toMemoryView(error.present)) : error;
}
