import { Body, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { MemoryService } from '../../../features/memory/memory.service.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import {
  ChecksVersion,
  IfMatchNumber,
  MayOnlyAdd,
  OnlyAdds,
  TellsVersion,
} from '../api/versions/versions.decorators.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { AdminMemory } from './admin-memory.service.js';
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
  constructor(
    private readonly admin: AdminMemory,
    private readonly memory: MemoryService,
  ) {}

  @Get()
  @Operation(
    'listMemory',
    'Lists or searches the entries of the memory',
    'Without `q`, the entry that was changed last comes first; with `q`, the best match.',
  )
  @ApiOkResponse({ type: PageOf(MemoryView) })
  list(@Query() query: MemoryQuery): Promise<Page<MemoryView>> {
    return this.admin.listPage(query);
  }

  @Get('namespaces')
  @Operation('listNamespaces', 'Lists the namespaces by name', '`shared` is always among them, even while it is empty.')
  @ApiOkResponse({ type: PageOf(NamespaceView), description: 'All namespaces in one page.' })
  async namespaces(): Promise<Page<NamespaceView>> {
    return onePage(await this.memory.listNamespaceSizes());
  }

  @Get(':namespace/:key')
  @Operation('getMemory', 'Returns one entry')
  @ApiOkResponse({ type: MemoryView })
  @TellsVersion()
  get(@Param('namespace') namespace: string, @Param('key') key: string): Promise<MemoryView> {
    return this.admin.get(namespace, key);
  }

  @Get(':namespace/:key/history')
  @Operation('getMemoryHistory', 'Returns the previous versions of an entry, the latest first')
  @ApiOkResponse({ type: PageOf(MemoryVersionView) })
  async history(@Param('namespace') namespace: string, @Param('key') key: string): Promise<Page<MemoryVersionView>> {
    return onePage(await this.memory.history(namespace, key));
  }

  @NeedsRole('editor')
  @Post()
  @Audited({ recordsResult: true })
  @Operation('saveMemory', 'Saves an entry', 'If the key exists, the entry gets a new version.')
  @ApiCreatedResponse({ type: SavedMemoryView })
  @MayOnlyAdd()
  create(@Body() body: NewMemoryBody, @OnlyAdds() version?: number): Promise<SavedMemoryView> {
    return this.admin.save(body, version);
  }

  @NeedsRole('editor')
  @Put(':namespace/:key')
  @Audited<MemoryController>({
    state: (controller, { params }) => controller.get(params['namespace'] ?? '', params['key'] ?? ''),
  })
  @Operation('updateMemory', 'Saves a new version of an entry that exists')
  @ApiOkResponse({ type: SavedMemoryView })
  @ChecksVersion()
  @TellsVersion()
  update(
    @Param('namespace') namespace: string,
    @Param('key') key: string,
    @Body() body: MemoryBody,
    @IfMatchNumber() version?: number,
  ): Promise<SavedMemoryView> {
    return this.admin.update({ namespace, key, version }, body);
  }

  @NeedsRole('editor')
  @Delete(':namespace/:key')
  @Audited<MemoryController>({
    state: (controller, { params }) => controller.get(params['namespace'] ?? '', params['key'] ?? ''),
  })
  @Operation('deleteMemory', 'Deletes an entry and its history')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The entry and its history are deleted.' })
  @ChecksVersion()
  remove(
    @Param('namespace') namespace: string,
    @Param('key') key: string,
    @IfMatchNumber() version?: number,
  ): Promise<void> {
    return this.admin.remove({ namespace, key, version });
  }
}
