import { Injectable } from '@nestjs/common';
import type { DefinitionProblem } from '#open-workflow';
import { Environment } from '../../../platform/environment/environment.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { FolderScans } from '../../../platform/folders/folder-scans.js';
import type { CheckedWorkflow } from './definition-checker.service.js';
import { InvalidWorkflow, VersionHasRun, VersionProposed, WorkflowFromFile } from './definitions.errors.js';
import { WorkflowDefinitions } from './workflow-definitions.service.js';
import { readWorkflowFolder, type WorkflowText } from './workflow-folder.js';

/** A file of WORKFLOWS_DIR, as last read. */
export interface WorkflowFile {
  /** Its name in the folder. */
  file: string;
  /** The name of its workflow; null when it is unreadable. */
  name: string | null;
  /** Its problems. While there are errors, the workflow stays unchanged. */
  problems: DefinitionProblem[];
}

type LoadedFile = WorkflowFile & Pick<WorkflowText, 'text'>;

interface ReadFile extends WorkflowText {
  name: string | null;
  /** null when the file is unchanged or unreadable. */
  checked: CheckedWorkflow | null;
}

/** Editors write a file in several steps. */
const CALM_MS = 250;
/** A workflow is removed when its file has been gone for this long: editors and deployments replace files. */
const GONE_MS = 2_000;

/** Synchronises the workflows with the YAML files in WORKFLOWS_DIR. */
@Injectable()
export class WorkflowFiles extends FolderScans {
  private loaded = new Map<string, LoadedFile>();
  /** When the files of workflows were first found to be gone, in monotonic milliseconds. */
  private readonly goneSince = new Map<string, number>();
  private hasScanned = false;

  constructor(
    environment: Environment,
    private readonly workflows: WorkflowDefinitions,
  ) {
    super(environment.WORKFLOWS_DIR, { calmMs: CALM_MS, settledMs: GONE_MS });
  }

  /** Resolves when the workflows of the folder can be called. */
  override async onApplicationBootstrap(): Promise<void> {
    this.poll();
    await this.scanAndReport();
  }

  listBroken(): WorkflowFile[] {
    return [...this.loaded.values()].filter(hasErrors).map(({ file, name, problems }) => ({ file, name, problems }));
  }

  /** @throws WorkflowFromFile when the workflow comes from a file, which would add it again */
  async assertNotFromFile(name: string): Promise<void> {
    await this.settled();
    const [file] = [...this.loaded.values()].filter((one) => one.name === name);
    if (file) throw new WorkflowFromFile(name, file.file);
  }

  /** Loads what has changed in the folder since the previous scan. */
  protected async scanOnce(nowMs: number): Promise<boolean> {
    if (!this.isStopped) this.watch([this.root]);
    const texts = await readWorkflowFolder(this.root);
    // A missing folder does not mean that its files were removed.
    if (this.isStopped || texts === null) return false;
    const before = this.loaded;
    const files: ReadFile[] = [];
    for (const text of texts) {
      const known = before.get(text.file);
      // A file with errors may be valid now: for example, a missing skill exists.
      const mayDiffer = known === undefined || known.text !== text.text || hasErrors(known);
      const checked = mayDiffer && text.text !== null ? await this.workflows.validate(text.text) : null;
      files.push({ ...text, checked, name: checked?.name ?? known?.name ?? null });
    }
    const after = await this.takeOver(before, files);
    // If this fails, the next scan still knows which files existed.
    await this.removeOthers(before, [...after.values()], nowMs);
    this.loaded = after;
    this.hasScanned = true;
    return this.goneSince.size > 0;
  }

  private async takeOver(
    before: ReadonlyMap<string, LoadedFile>,
    files: readonly ReadFile[],
  ): Promise<Map<string, LoadedFile>> {
    const after = new Map<string, LoadedFile>();
    const owners = new Map<string, string>();
    for (const { file, text, problem, checked, name } of files) {
      const known = before.get(file);
      const owner = name === null ? undefined : owners.get(name);
      if (name !== null && owner === undefined) owners.set(name, file);
      let loaded = known ?? { file, name, text: null, problems: [problemAt(problem ?? 'the file cannot be read')] };
      if (checked) loaded = { file, name, text, problems: await this.save(text ?? '', checked, owner) };
      if (JSON.stringify(loaded) !== JSON.stringify(known)) this.log(loaded);
      after.set(file, loaded);
    }
    return after;
  }

  /** Saves the workflow of a file; returns its problems. */
  private async save(
    text: string,
    { places }: CheckedWorkflow,
    owner: string | undefined,
  ): Promise<DefinitionProblem[]> {
    if (owner !== undefined) {
      const message = `the file ${owner} has a workflow of the same name: rename one of the two`;
      return [{ severity: 'error', ...places.name, message }];
    }
    try {
      return (await this.workflows.save(text, { source: 'file' })).problems;
    } catch (error) {
      if (error instanceof InvalidWorkflow) return [...error.problems];
      if (!(error instanceof AppError) || error.kind !== 'conflict') throw error;
      const isOfVersion = error instanceof VersionHasRun || error instanceof VersionProposed;
      const place = isOfVersion ? places.version : places.name;
      return [{ severity: 'error', ...place, message: error.message }];
    }
  }

  private async removeOthers(
    before: ReadonlyMap<string, LoadedFile>,
    files: readonly LoadedFile[],
    nowMs: number,
  ): Promise<void> {
    const kept = new Set(files.map(({ name }) => name));
    for (const { name } of before.values()) if (name !== null && !kept.has(name)) this.goneSince.set(name, nowMs);
    const gone = [...this.goneSince].filter(([, sinceMs]) => nowMs - sinceMs >= GONE_MS).map(([name]) => name);
    // Files may have been removed while the service was down. But another replica may have another folder, so an empty one proves
    // nothing; and an unreadable file may be any of the workflows.
    const isConclusive = files.length > 0 && files.every(({ name }) => name !== null);
    if (!this.hasScanned && isConclusive) gone.push(...this.workflows.listNames());
    for (const name of gone) {
      const workflow = kept.has(name) ? undefined : await this.workflows.find(name);
      // A disabled workflow would be enabled again if its file came back.
      if (workflow?.source === 'file' && workflow.enabled) {
        await this.workflows.remove(name);
        this.logger.log(`workflow ${name} was removed, because its file is gone`);
      }
      this.goneSince.delete(name);
    }
  }

  private log({ file, name, problems }: LoadedFile): void {
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) this.logger.log(`loaded workflow ${name ?? ''} from ${file}`);
    for (const { line, column, path, message } of errors.slice(0, 10)) {
      this.logger.warn(`${file}:${line}:${column} ${path} ${message}`);
    }
  }
}

const hasErrors = ({ problems }: WorkflowFile): boolean => problems.some(({ severity }) => severity === 'error');

const problemAt = (message: string): DefinitionProblem => ({
  severity: 'error',
  path: '',
  line: 1,
  column: 1,
  message,
});
