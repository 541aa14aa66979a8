import { ProblemList } from '../../../components/ProblemList';
import { Section } from '../../../components/Section';
import type { BrokenFile } from '../use-workflows';

/** Says what is wrong with files in the folder for workflows that are no workflows because of it. */
export function BrokenFiles({ files }: { files: readonly BrokenFile[] }) {
  return files.map(({ file, name, problems }) => (
    <Section
      key={file}
      title={file}
      about={
        name === null
          ? 'This file is no workflow until its errors are mended.'
          : `${name} stays as it was until the errors of its file are mended.`
      }
    >
      <ProblemList problems={problems} />
    </Section>
  ));
}
