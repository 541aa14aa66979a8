import { Get } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import { PublicAdminController } from '../api/admin-controller.decorator.js';
import { OpenApi } from './open-api.service.js';

@ApiExcludeController()
@PublicAdminController('')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Get('openapi.json')
  document(): OpenAPIObject {
    return this.openApi.document();
  }
}
