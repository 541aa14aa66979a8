import { Facts } from '../../../components/Facts';
import { Ago } from '../../../components/Moment';
import { Section } from '../../../components/Section';
import { Tags } from '../../../components/Tags';
import { PackageSwitch } from '../PackageSwitch';
import { countOf } from '../../../text/format';
import type { FullPackage } from '../use-packages';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export function PackageFacts({ one }: { one: FullPackage }) {
  const { version, source, updatedAt, updatedBy, tags, frontmatter, digest, uses, lastUsedAt } = one;
  const facts = [
    { title: 'Enabled', value: <PackageSwitch item={one} /> },
    { title: 'Version', value: version },
    {
      title: 'Source',
      value: source === 'folder' ? 'A folder in SKILLS_DIR: change its files there' : 'Upload',
    },
    {
      title: 'Changed',
      value: (
        <span>
          <Ago at={updatedAt} />
          {updatedBy !== null && ` by ${updatedBy}`}
        </span>
      ),
    },
    {
      title: 'Used in 30 days',
      value: (
        <span>
          {countOf(uses, 'time')}
          {lastUsedAt !== null && (
            <>
              , last <Ago at={lastUsedAt} />
            </>
          )}
        </span>
      ),
    },
    { title: 'Tags', value: tags.length > 0 ? <Tags tags={tags} /> : null },
    { title: 'License', value: textOrNull(frontmatter['license']) },
    { title: 'Compatibility', value: textOrNull(frontmatter['compatibility']) },
    { title: 'Asks for tools', value: textOrNull(frontmatter['allowed-tools']) },
    { title: 'Digest', value: <code style={{ overflowWrap: 'anywhere' }}>{digest}</code> },
  ];
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}
