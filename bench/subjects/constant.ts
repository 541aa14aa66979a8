import { createHash, timingSafeEqual } from 'node:crypto';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Module,
  Post,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request } from 'express';

const digest = (value: string) => createHash('sha256').update(value).digest();
const expected = digest(process.env['BENCH_KEY'] ?? '');

@Injectable()
class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization = '' } = context.switchToHttp().getRequest<Request>().headers;
    if (authorization.startsWith('Bearer ') && timingSafeEqual(digest(authorization.slice(7)), expected)) return true;
    throw new UnauthorizedException();
  }
}

/** What everything is measured against: the same body in, the same answer out, and no protocol in between. */
@Controller('mcp')
@UseGuards(BearerGuard)
class ConstantController {
  @Post()
  @HttpCode(200)
  answer(@Body() { id }: { id: number }) {
    return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'constant answer' }] } };
  }
}

@Module({ controllers: [ConstantController] })
class ConstantModule {}

const app = await NestFactory.create(ConstantModule, { logger: false });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
