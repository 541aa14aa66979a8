import { Injectable } from '@nestjs/common';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { embedded, result, Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import { ResourceRouter } from './resource.router.js';

class ResourceReadInput {
  @IsString() @MinLength(1) @MaxLength(2048) uri!: string;
}

@Skill({
  name: 'resource_read',
  title: 'Read a resource',
  description:
    'Use this to read a resource of Agent Service by its URI (for example config://mcp.tool_timeout_ms) when you cannot read ' +
    'MCP resources directly. Returns the content; if the URI is unknown, the error lists the forms of URIs that exist.',
  input: ResourceReadInput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class ResourceRead implements SkillHandler<ResourceReadInput> {
  constructor(private readonly resources: ResourceRouter) {}

  async execute({ uri }: ResourceReadInput, { client }: SkillContext): Promise<SkillResult> {
    const contents = await this.resources.read(client, uri);
    return result(...contents.map((content) => ('text' in content ? text(content.text) : embedded(content))));
  }
}
