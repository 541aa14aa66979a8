import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Module,
  Post,
  Req,
  Res,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request, Response } from 'express';

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

/** The baseline: the same body and the same response, without a protocol. */
@Controller('mcp')
@UseGuards(BearerGuard)
class ConstantController {
  @Post()
  @HttpCode(200)
  async answer(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { id } = JSON.parse(await bodyOf(request)) as { id: number };
    const result = { content: [{ type: 'text', text: 'constant answer' }] };
    const payload = JSON.stringify({ jsonrpc: '2.0', id, result });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) };
    response.writeHead(200, headers).end(payload);
  }
}

/** Reads a body with as little CPU as possible: a general body parser would cost more than everything else. */
function bodyOf(request: Request): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

@Module({ controllers: [ConstantController] })
class ConstantModule {}

const app = await NestFactory.create(ConstantModule, { logger: false, bodyParser: false });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
