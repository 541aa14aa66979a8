import { ProblemList } from '../../../components/ProblemList';
import { Section } from '../../../components/Section';
import type { BrokenFile } from '../use-workflows';

/** Shows the errors of files in the folder for workflows that are not loaded because of them. */
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
