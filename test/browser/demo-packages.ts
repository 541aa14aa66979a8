import { SkillPackages } from '../../src/features/packages/skill-packages.service.js';
import { packageOf, skillText } from '../../src/features/packages/testing.js';
import type { TestService } from '../support/service.js';

const NOTES = `# Release notes

1. List the merged changes since the last tag.
2. Sort them by what they mean for users; see references/STYLE.md.
3. Show the text before you publish it.
`;

const MODULES = {
  'weather.ts': `export default {
  name: 'weather_today',
  description: 'Use this to get the weather of a city.',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  uses: { hosts: ['api.weather.example'], secrets: ['weather_api'] },

  async execute({ city }: { city: string }, context: { fetch: typeof fetch; secret(name: string): string }) {
    const key = context.secret('weather_api');
    const response = await context.fetch(\`https://api.weather.example/v1?city=\${city}&key=\${key}\`);
    return response.json();
  },
};
`,
  'words.js': `export default { name: 'count_words', description: 'Counts.', execute: ({ text }) => text.split(' ').length };`,
};

/** Creates skill packages with the team's procedures. */
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
  for (const [file, code] of Object.entries(MODULES)) await service.admin('POST', 'skill-modules', { file, code });
}
