import { Amount, Parts, Text, Time } from '../api/fields.decorators.js';
import { FileDifferenceView, PackageProblemView } from './skill-packages.schema.js';

export class ProposalBody {
  @Text({ min: 1, max: 100, example: 'sha256:9f86d0…', says: 'The `digest` of the proposal that you have reviewed.' })
  digest!: string;
}

export class PackageProposalView {
  @Amount() id!: number;
  @Text({ says: 'Name of the package.' }) name!: string;
  @Text({ says: 'Client that proposed it.' }) author!: string;
  @Text() description!: string;
  @Time() proposedAt!: Date;
}

export class ProposalListView {
  @Parts(PackageProposalView, { says: 'What waits for a decision, the latest first.' }) items!: PackageProposalView[];
}

export class FullProposalView extends PackageProposalView {
  @Amount({ nullable: true, says: 'Current version of the package; null = it would be new.' })
  version!: number | null;
  @Text({ says: 'Instructions, as Markdown.' }) instructions!: string;
  @Text({
    nullable: true,
    says: 'Digest of the package as it would be; null = it has mistakes by now, or a folder has it.',
  })
  digest!: string | null;
  @Parts(FileDifferenceView, { says: 'What would change. The texts of the first 20 files are shown.' })
  files!: FileDifferenceView[];
  @Parts(PackageProblemView) problems!: PackageProblemView[];
}
