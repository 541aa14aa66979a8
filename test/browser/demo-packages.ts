import { SkillPackages } from '../../src/features/packages/skill-packages.service.js';
import { packageOf, skillText } from '../../src/features/packages/testing.js';
import type { TestService } from '../support/service.js';

const NOTES = `# Release notes

1. List the merged changes since the last tag.
2. Sort them by what they mean for users; see references/STYLE.md.
3. Show the text before you publish it.
`;

/** Writes down how the team does things. */
export async function instructAsATeamWould(service: TestService): Promise<void> {
  const packages = service.app.get(SkillPackages, { strict: false });
  const tags = 'license: MIT\nmetadata:\n  tags: "releases, writing"\n';
  const files = (style: string) => ({
    'SKILL.md': skillText('release-notes', NOTES, tags),
    'references/STYLE.md': style,
  });
  await packages.saveUpload(packageOf('release-notes', files('Short sentences.')), 'admin');
  await packages.saveUpload(packageOf('release-notes', files('Short sentences, and numbers.')), 'admin');
  await packages.saveUpload(packageOf('incident-review'), 'admin');
  await packages.saveUpload(packageOf('old-deploy'), 'admin');
  await packages.remove('old-deploy', 'admin');
}
