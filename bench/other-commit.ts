import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CallCost } from './measure-calls.js';
import { median } from './median.js';
import { SERVICE, type Subject } from './subjects.js';

/** Another commit of this project, built in a sibling folder with the packages of this one. */
export class OtherCommit {
  private constructor(
    private readonly ref: string,
    private readonly folder: string,
  ) {}

  /** @throws Error when there is no such commit, or it cannot be built */
  static build(ref: string): OtherCommit {
    const folder = join(mkdtempSync(join(tmpdir(), 'commit-')), 'tree');
    execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, ref]);
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    execFileSync(process.execPath, ['bin/build/transpile.js', 'src', 'libs', 'test', 'bench'], { cwd: folder });
    return new OtherCommit(ref, folder);
  }

  /** Returns a subject as it was in the other commit. */
  twinOf(subject: Subject): Subject {
    return { ...subject, title: `${subject.title}, ${this.ref}`, script: join(this.folder, subject.script) };
  }

  remove(): void {
    execFileSync('git', ['worktree', 'remove', '--force', this.folder]);
    rmSync(join(this.folder, '..'), { recursive: true, force: true });
  }
}

/** Prints the ratio of the CPU times now and then, by round, for each subject measured in both commits. */
export function comparison(costs: readonly CallCost[], other: OtherCommit): string[] {
  return Object.values(SERVICE).flatMap((subject) => {
    const now = costs.find((cost) => cost.subject === subject);
    const before = costs.find((cost) => cost.subject.title === other.twinOf(subject).title);
    if (!now || !before) return [];
    const ratios = now.rounds.map((micros, round) => micros / (before.rounds[round] ?? NaN)).sort((a, b) => a - b);
    const [least = NaN, most = NaN] = [ratios[0], ratios.at(-1)];
    return `${subject.title}: ${median(ratios).toFixed(2)} x (${least.toFixed(2)} to ${most.toFixed(2)})`;
  });
}
