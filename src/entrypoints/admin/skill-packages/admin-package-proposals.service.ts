import { Injectable } from '@nestjs/common';
import { nameOfOwner } from '../../../access/clients/owner.js';
import { differencesOf } from '../../../features/packages/files/package-difference.rules.js';
import { PackageProposals } from '../../../features/packages/proposals/package-proposals.service.js';
import { SkillPackages } from '../../../features/packages/skill-packages.service.js';
import { MOST_COMPARED, shown } from './admin-skill-packages.service.js';
import type { FullProposalView, ProposalListView } from './package-proposals.schema.js';

/** Serves the proposals of clients to administrators. */
@Injectable()
export class AdminPackageProposals {
  constructor(
    private readonly proposals: PackageProposals,
    private readonly packages: SkillPackages,
  ) {}

  async list(): Promise<ProposalListView> {
    const open = await this.proposals.listOpen();
    return { items: open.map((one) => ({ ...one, author: nameOfOwner(one.author) })) };
  }

  /** Returns a proposal and its changes. @throws ProposalNotFound */
  async get(id: number): Promise<FullProposalView> {
    const { proposal, checked, problems } = await this.proposals.get(id);
    const { files: _files, ...facts } = proposal;
    const current = this.packages.find(proposal.name);
    const after = new Map(checked?.files.map((file) => [file.path, file]));
    const files: FullProposalView['files'] = [];
    for (const { path, change } of differencesOf(current?.files ?? [], [...after.values()])) {
      const isShown = files.length < MOST_COMPARED;
      const before = isShown && current ? await this.packages.readFile(current, path) : undefined;
      files.push({ path, change, before: shown(before), after: shown(isShown ? after.get(path)?.bytes : undefined) });
    }
    const isRight = problems.every(({ severity }) => severity !== 'error');
    const digest = isRight && checked ? checked.digest : null;
    const author = nameOfOwner(proposal.author);
    return { ...facts, author, version: current?.version ?? null, digest, files, problems };
  }
}
