import { Get, type INestApplication, Injectable } from '@nestjs/common';
import { ApiExcludeController, DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { AdminCookies } from '../../../access/accounts/admin-cookies.service.js';
import { VERSION } from '../../../platform/service-info/version.js';
import { PublicAdminController } from '../api/admin-controller.decorator.js';

function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const description = new DocumentBuilder()
    .setTitle('Agent Service administration')
    .setVersion(VERSION)
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'Name and password of an administrator.' })
    .addCookieAuth(app.get(AdminCookies).publishedName, {
      type: 'apiKey',
      description: 'Set by POST /admin/api/session. Its name is different for each instance.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, description);
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/admin/api/'));
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The OpenAPI document, built on the first request. */
@Injectable()
export class OpenApi {
  private build: (() => OpenAPIObject) | null = null; // null until the application is complete
  private built: OpenAPIObject | null = null;

  describe(app: INestApplication): void {
    this.build = () => buildOpenApiDocument(app);
  }

  document(): OpenAPIObject {
    if (!this.build) throw new Error('the OpenAPI document was asked for before setupAdmin()');
    return (this.built ??= this.build());
  }
}

@ApiExcludeController()
@PublicAdminController('')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Get('openapi.json')
  document(): OpenAPIObject {
    return this.openApi.document();
  }
}

/** Passes the complete application to the admin API, for its OpenAPI document. */
export function setupAdmin(app: INestApplication): void {
  app.get(OpenApi).describe(app);
}
