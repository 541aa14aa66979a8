import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { type CheckedDraft, PackageDrafts, type SavedDraft } from '../drafts/package-drafts.service.js';
import { SKILL_FILE } from '../files/package.js';
import { PackageFolders } from '../folder/package-folders.service.js';
import {
  InvalidPackage,
  PackageFromFolder,
  PackageConflict,
  ProposalChanged,
  ProposalNotFound,
  ProposalTooLong,
  TooManyOpenProposals,
  TooManyProposals,
} from '../packages.errors.js';
import { SkillPackages } from '../skill-packages.service.js';
import { KEPT_DAYS, MOST_IN_A_DAY, MOST_OPEN, MOST_PROPOSED, type Proposal } from './proposal.js';
import { ProposalStore, type ProposeOutcome } from './proposal.store.js';

const EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export type CheckedProposal = CheckedDraft & { proposal: Proposal };

/** Stores proposals of clients until administrators decide. Proposals are served to nobody. */
@Injectable()
export class PackageProposals extends PeriodicWork {
  constructor(
    private readonly store: ProposalStore,
    private readonly drafts: PackageDrafts,
    private readonly packages: SkillPackages,
    private readonly folders: PackageFolders,
  ) {
    super(EVERY_MS);
  }

  /**
   * Keeps a proposal until an administrator decides, replacing an open one of the same author for this package.
   * @throws InvalidPackage, PackageFromFolder, ProposalTooLong, TooManyProposals, TooManyOpenProposals
   */
  async propose(
    proposed: Omit<Proposal, 'id' | 'proposedAt'>,
    now = new Date(),
  ): Promise<Exclude<ProposeOutcome, 'tooMany' | 'full'> | 'current'> {
    const { name, description, instructions, files } = proposed;
    const texts = [description, instructions, ...files.flatMap(({ path, text }) => [path, text])];
    if (texts.reduce((sum, { length }) => sum + length, 0) > MOST_PROPOSED) throw new ProposalTooLong(MOST_PROPOSED);
    await this.folders.assertNotFromFolder(name);
    const { checked, problems } = await this.drafts.check(proposed, files);
    if (!checked) throw new InvalidPackage(problems);
    if (this.packages.find(name)?.digest === checked.digest) return 'current';
    const limits = { since: new Date(now.getTime() - DAY_MS), mostSince: MOST_IN_A_DAY, mostOpen: MOST_OPEN };
    const outcome = await this.store.propose({ ...proposed, proposedAt: now }, limits);
    if (outcome === 'tooMany') throw new TooManyProposals(MOST_IN_A_DAY);
    if (outcome === 'full') throw new TooManyOpenProposals(MOST_OPEN);
    return outcome;
  }

  listOpen() {
    return this.store.listOpen();
  }

  /** Returns a proposal. Its problems include that the package now comes from a folder. @throws ProposalNotFound */
  async get(id: number): Promise<CheckedProposal> {
    const proposal = await this.store.findOpen(id);
    if (!proposal) throw new ProposalNotFound(id);
    const isFromFolder = await this.folders.has(proposal.name);
    const check = await this.drafts.check(proposal, proposal.files);
    if (!isFromFolder) return { proposal, ...check };
    const { message } = new PackageFromFolder(proposal.name);
    const problem = { severity: 'error', file: SKILL_FILE, line: 1, message } as const;
    return { proposal, ...check, problems: [problem, ...check.problems] };
  }

  /**
   * Saves a proposal as the current version of its package.
   * @param digest digest of the package that the administrator has seen
   * @throws ProposalNotFound, ProposalChanged, InvalidPackage, PackageFromFolder, TooManyPackages
   */
  async accept(id: number, digest: string, by: string): Promise<SavedDraft> {
    const { proposal, ...check } = await this.get(id);
    await this.folders.assertNotFromFolder(proposal.name);
    if (check.checked && check.checked.digest !== digest) throw new ProposalChanged(proposal.name);
    const saved = await this.drafts.save(check, by).catch((error: unknown) => {
      throw error instanceof PackageConflict ? new ProposalChanged(proposal.name) : error;
    });
    // If this fails, the proposal can be accepted again: the version already exists.
    await this.store.end(id, 'accepted');
    return saved;
  }

  /** Refuses a proposal, and deletes its texts. @throws ProposalNotFound */
  async refuse(id: number): Promise<void> {
    if (!(await this.store.end(id, 'refused'))) throw new ProposalNotFound(id);
  }

  tick(now: Date): Promise<unknown> {
    return this.store.deleteBefore(new Date(now.getTime() - KEPT_DAYS * DAY_MS));
  }
}
