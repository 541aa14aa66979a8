import { Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ClientsService } from '../../../access/clients/clients.service.js';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { ClientGroupsView } from './clients.schema.js';

@AdminController('client-groups')
export class ClientGroupsController {
  constructor(private readonly clients: ClientsService) {}

  @Get()
  @Operation('listClientGroups', 'Lists the names of the groups that clients are in')
  @ApiOkResponse({ type: ClientGroupsView })
  list(): ClientGroupsView {
    return { items: this.clients.groups() };
  }
}
