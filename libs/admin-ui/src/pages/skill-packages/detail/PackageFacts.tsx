import { Facts } from '../../../components/Facts';
import { Ago, Changed } from '../../../components/Moment';
import { Section } from '../../../components/Section';
import { Tags } from '../../../components/Tags';
import { PackageSwitch } from '../PackageSwitch';
import { countOf } from '../../../text/format';
import type { FullPackage } from '../use-packages';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function sourceOf({ source, isInFolder }: FullPackage): string {
  if (source === 'upload') return 'Upload';
  return isInFolder ? 'A folder in SKILLS_DIR: change its files there' : 'A folder that is no longer in SKILLS_DIR';
}

export function PackageFacts({ one }: { one: FullPackage }) {
  const { version, updatedAt, updatedBy, tags, frontmatter, digest, uses, lastUsedAt } = one;
  const facts = {
    Enabled: <PackageSwitch item={one} />,
    Version: version,
    Source: sourceOf(one),
    Changed: <Changed at={updatedAt} by={updatedBy} />,
    'Used in 30 days': (
      <span>
        {countOf(uses, 'time')}
        {lastUsedAt !== null && (
          <>
            , last <Ago at={lastUsedAt} />
          </>
        )}
      </span>
    ),
    Tags: tags.length > 0 ? <Tags tags={tags} /> : null,
    License: textOrNull(frontmatter['license']),
    Compatibility: textOrNull(frontmatter['compatibility']),
    'Asks for tools': textOrNull(frontmatter['allowed-tools']),
    Digest: <code style={{ overflowWrap: 'anywhere' }}>{digest}</code>,
  };
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}
