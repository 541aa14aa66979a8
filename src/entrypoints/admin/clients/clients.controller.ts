import { Body, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ClientRegistry } from '../../../access/clients/client-registry.service.js';
import { ClientsService } from '../../../access/clients/clients.service.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, AuditsState } from '../api/audited.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { AdminClients } from './admin-clients.service.js';
import { ClientTools } from './client-tools.service.js';
import {
  ClientBody,
  ClientGroupsView,
  ClientKeyShown,
  ClientToolView,
  ClientView,
  NewClientBody,
  RotationBody,
} from './clients.schema.js';

@AdminController('clients')
export class ClientsController {
  constructor(
    private readonly clients: AdminClients,
    private readonly registry: ClientRegistry,
    private readonly tools: ClientTools,
  ) {}

  @Get()
  @Operation('listClients', 'Lists the clients, without their keys')
  @Returns(PageOf(ClientView))
  async list(): Promise<Page<ClientView>> {
    return onePage(await this.clients.list());
  }

  @Post()
  @Audited({ recordsResult: true })
  @Operation('createClient', 'Creates a client, and returns its key once')
  @Creates(ClientKeyShown)
  create(@Body() body: NewClientBody): Promise<ClientKeyShown> {
    return this.clients.create(body);
  }

  @Get(':name')
  @Operation('getClient', 'Returns a client')
  @Returns(ClientView)
  get(@Param('name') name: string): Promise<ClientView> {
    return this.clients.get(name);
  }

  @Get(':name/tools')
  @Operation('listClientTools', 'Lists the enabled tools, and whether the policies permit a client to call them')
  @Returns(PageOf(ClientToolView))
  async listTools(@Param('name') name: string): Promise<Page<ClientToolView>> {
    return onePage(await this.tools.list(name));
  }

  @Put(':name')
  @AuditsState('name')
  @Operation('updateClient', 'Changes a client', 'Omitted fields are left unchanged.')
  @Returns(ClientView)
  update(@Param('name') name: string, @Body() body: ClientBody): Promise<ClientView> {
    return this.clients.update(name, body);
  }

  @Delete(':name')
  @AuditsState('name')
  @Operation('deleteClient', 'Deletes a client', 'Its keys, sessions, streams and running calls end at once.')
  @NoContent('The client is deleted.')
  remove(@Param('name') name: string): Promise<void> {
    return this.registry.remove(name);
  }

  @Post(':name/keys')
  @AuditsState('name')
  @Operation(
    'rotateClientKey',
    'Generates a new key for a client, and returns it once',
    'The previous key stays valid for a while, so that its users have time to change it. At most 2 keys are valid at a time.',
  )
  @Creates(ClientKeyShown)
  rotate(@Param('name') name: string, @Body() { overlapHours }: RotationBody): Promise<ClientKeyShown> {
    return this.clients.rotate(name, overlapHours);
  }

  @Delete(':name/keys/:id')
  @AuditsState('name')
  @Operation(
    'revokeClientKey',
    'Revokes a key of a client',
    'The sessions, streams and calls that it opened end at once.',
  )
  @Returns(ClientView)
  revokeKey(@Param('name') name: string, @Param('id') id: string): Promise<ClientView> {
    return this.clients.revokeKey(name, id);
  }
}

@AdminController('client-groups')
export class ClientGroupsController {
  constructor(private readonly clients: ClientsService) {}

  @Get()
  @Operation('listClientGroups', 'Lists the names of the groups that clients are in')
  @Returns(ClientGroupsView)
  list(): ClientGroupsView {
    return { items: this.clients.groups() };
  }
}
