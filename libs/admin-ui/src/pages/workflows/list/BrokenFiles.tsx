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
          ? 'This file is not loaded until its errors are fixed.'
          : `${name} keeps its last valid version until the errors of its file are fixed.`
      }
    >
      <ProblemList problems={problems} />
    </Section>
  ));
}
