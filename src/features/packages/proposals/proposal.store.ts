import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import type { PackageProposalTable } from '../../../platform/database/package-tables.js';
import { affectedRows, countRows, hasEffect } from '../../../platform/sql/affected-rows.js';
import { lockUntilCommit } from '../../../platform/sql/dialect.js';
import type { WrittenFile } from '../files/package-draft.rules.js';
import type { Proposal, ProposalState } from './proposal.js';

/** The outcome of proposing. `tooMany`: the daily limit of the client is reached. `full`: too many proposals are open. */
export type ProposeOutcome = 'created' | 'replaced' | 'unchanged' | 'tooMany' | 'full';

interface ProposalLimits {
  /** Start of the period in which the author's proposals are counted. */
  since: Date;
  mostSince: number;
  mostOpen: number;
}

const LOCK = 'skill package proposals';

/** Stores proposals of clients. A client has at most one open proposal per package, and can change only its own. */
@Injectable()
export class ProposalStore {
  constructor(private readonly database: Database) {}

  propose(proposed: Omit<Proposal, 'id'>, { since, mostSince, mostOpen }: ProposalLimits): Promise<ProposeOutcome> {
    const { name, author, description, instructions } = proposed;
    const texts = { description, instructions, files: JSON.stringify(proposed.files) };
    return this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, LOCK);
      const before = await transaction
        .selectFrom('skill_package_proposals')
        .selectAll()
        .where('name', '=', name)
        .where('author', '=', author)
        .where('state', '=', 'open')
        .executeTakeFirst();
      const isSame =
        before?.description === description && before.instructions === instructions && before.files === texts.files;
      if (isSame) return 'unchanged';
      const count = (column: 'author' | 'state', value: string, from: string) => {
        const proposals = transaction.selectFrom('skill_package_proposals').where(column, '=', value);
        return countRows(proposals.where('proposed_at', '>', from));
      };
      if ((await count('author', author, since.toISOString())) >= mostSince) return 'tooMany';
      if (!before && (await count('state', 'open', '')) >= mostOpen) return 'full';
      if (before)
        await transaction
          .updateTable('skill_package_proposals')
          .set({ state: 'replaced', ...NO_TEXTS })
          .where('id', '=', before.id)
          .execute();
      await transaction
        .insertInto('skill_package_proposals')
        .values({ name, author, state: 'open', proposed_at: proposed.proposedAt.toISOString(), ...texts })
        .execute();
      return before ? 'replaced' : 'created';
    });
  }

  /** Returns the open proposals without their texts, latest first. */
  async listOpen(): Promise<Pick<Proposal, 'id' | 'name' | 'author' | 'description' | 'proposedAt'>[]> {
    const rows = await this.database
      .selectFrom('skill_package_proposals')
      .select(['id', 'name', 'author', 'description', 'proposed_at'])
      .where('state', '=', 'open')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ id, proposed_at, ...row }) => ({ ...row, id: Number(id), proposedAt: new Date(proposed_at) }));
  }

  async findOpen(id: number): Promise<Proposal | undefined> {
    if (!Number.isSafeInteger(id)) return undefined;
    const row = await this.database
      .selectFrom('skill_package_proposals')
      .selectAll()
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst();
    return row && toProposal(row);
  }

  /** Ends an open proposal. Returns whether it existed. */
  async end(id: number, state: Exclude<ProposalState, 'open'>): Promise<boolean> {
    if (!Number.isSafeInteger(id)) return false;
    return hasEffect(
      this.database
        .updateTable('skill_package_proposals')
        .set({ state, ...NO_TEXTS })
        .where('id', '=', id)
        .where('state', '=', 'open'),
    );
  }

  /** Deletes proposals from before a time, in any state. Returns their number. */
  async deleteBefore(time: Date): Promise<number> {
    return affectedRows(
      this.database.deleteFrom('skill_package_proposals').where('proposed_at', '<', time.toISOString()),
    );
  }
}

/** Ended proposals are kept only for counting. */
const NO_TEXTS = { description: '', instructions: '', files: '[]' } as const;

const toProposal = (row: Selectable<PackageProposalTable>): Proposal => ({
  id: Number(row.id),
  name: row.name,
  author: row.author,
  proposedAt: new Date(row.proposed_at),
  description: row.description,
  instructions: row.instructions,
  files: JSON.parse(row.files) as WrittenFile[],
});
