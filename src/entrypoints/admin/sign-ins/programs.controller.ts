import { Body, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { RegisteredPrograms } from '../../../access/oauth/registered-programs.service.js';
import { mapPage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { PageOf } from '../api/page.schema.js';
import {
  NewProgramBody,
  NewProgramView,
  ProgramDocumentBody,
  SignInProgramView,
  SignInSearchQuery,
  toSignInProgramView,
} from './sign-ins.schema.js';

@AdminController('programs')
export class ProgramsController {
  constructor(private readonly programs: RegisteredPrograms) {}

  @Get()
  @Operation('listPrograms', 'Lists the programs that have registered or that an administrator has added, latest first')
  @Returns(PageOf(SignInProgramView))
  async list(@Query() query: SignInSearchQuery): Promise<Page<SignInProgramView>> {
    return mapPage(await this.programs.listPage(query), toSignInProgramView);
  }

  @Post()
  @Audited({ recordsResult: true })
  @Operation('enterProgram', 'Adds a program that people may sign in with, by its redirect addresses')
  @Creates(NewProgramView)
  enter(@Body() body: NewProgramBody): Promise<NewProgramView> {
    return this.programs.enter(body);
  }

  @Post('documents')
  @Audited({ recordsResult: true })
  @Operation('enterProgramDocument', 'Adds a program that has a metadata document')
  @Creates(NewProgramView)
  async enterDocument(@Body() { name, documentUrl }: ProgramDocumentBody): Promise<NewProgramView> {
    await this.programs.enterDocument(name, documentUrl);
    return { id: documentUrl, secret: null };
  }

  @Delete(':id')
  @Audited<ProgramsController>({ state: (controller, { params }) => controller.programs.get(params['id'] ?? '') })
  @Operation('removeProgram', 'Removes a program', "Revokes all people's permissions for it.")
  @NoContent()
  remove(@Param('id') id: string): Promise<void> {
    return this.programs.removeListed(id);
  }
}
