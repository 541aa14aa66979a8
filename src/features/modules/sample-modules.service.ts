import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { PROJECT_ROOT } from '../../platform/environment/project-root.js';
import { type CheckedModule, MODULE_FILE, type SkillModule } from './declared/module.js';
import { SampleNotFound, SampleThere } from './modules.errors.js';
import { SkillModules } from './modules.service.js';

const FOLDER = join(PROJECT_ROOT, 'samples/modules');

/** The modules that are shipped with the service. Clients get them only after an administrator has added them. */
@Injectable()
export class SampleModules {
  private samples: Promise<CheckedModule[]> | null = null; // null = not read yet

  constructor(private readonly modules: SkillModules) {}

  /** Returns the modules as declared in their files, in alphabetical order. */
  list(): Promise<CheckedModule[]> {
    const reading = (this.samples ??= this.read());
    reading.catch(() => (this.samples = null));
    return reading;
  }

  /** Saves a module as if it were uploaded. @throws SampleNotFound, SampleThere, TooManyModules */
  async add(name: string, by: string): Promise<SkillModule> {
    const samples = await this.list();
    const sample = samples.find((one) => one.name === name);
    if (!sample) {
      const names = samples.map((one) => one.name);
      throw new SampleNotFound(name, names);
    }
    if (this.modules.find(name)) throw new SampleThere(name);
    return this.modules.saveUpload(sample.file, sample.files, by);
  }

  private async read(): Promise<CheckedModule[]> {
    const files = (await readdir(FOLDER)).filter((file) => MODULE_FILE.test(file)).sort();
    const samples: CheckedModule[] = [];
    for (const file of files) {
      const code = await readFile(join(FOLDER, file), 'utf8');
      samples.push(await this.modules.check(file, { [file]: code }));
    }
    return samples;
  }
}
