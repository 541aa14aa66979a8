import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { PROJECT_ROOT } from '../../../platform/environment/project-root.js';
import { partsOf, type ReferencePart } from './workflow-reference.rules.js';

const MANUAL = join(PROJECT_ROOT, 'docs/workflows.md');
const SAMPLES = join(PROJECT_ROOT, 'workflows/samples');

/** The documentation for assistants that write workflows: the manual of the language in parts, and the samples. */
@Injectable()
export class WorkflowReference {
  private parts: Promise<ReadonlyMap<string, ReferencePart>> | null = null; // null = not read yet

  /** Returns a part; without a name, the first one, which lists the others. */
  async find(name = ''): Promise<ReferencePart | undefined> {
    this.parts ??= this.read().catch((error: unknown) => {
      this.parts = null; // the next reader may succeed
      throw error;
    });
    return (await this.parts).get(name);
  }

  protected async read(): Promise<ReadonlyMap<string, ReferencePart>> {
    const files = (await readdir(SAMPLES)).filter((file) => file.endsWith('.yaml')).sort();
    const samples = await Promise.all(
      files.map(async (file) => ({ file, text: await readFile(join(SAMPLES, file), 'utf8') })),
    );
    return partsOf(await readFile(MANUAL, 'utf8'), samples);
  }
}
