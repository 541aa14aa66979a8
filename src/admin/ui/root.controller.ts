import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

/** Who opens the address of the service in a browser is looking for the admin interface. */
@ApiExcludeController()
@Controller()
export class RootController {
  @Get()
  @Redirect('/admin/', 302)
  toAdmin(): void {}
}
