import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

/** Redirects browsers that open the address of the service to the admin interface. */
@ApiExcludeController()
@Controller()
export class RootController {
  @Get()
  @Redirect('/admin/', 302)
  toAdmin(): void {}
}
