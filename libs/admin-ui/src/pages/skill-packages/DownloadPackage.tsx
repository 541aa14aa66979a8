import { DownloadButton } from '../../components/DownloadButton';
import type { FullPackage } from './use-packages';

/** Link to the current version of a package as an archive, which can be uploaded again. */
export function DownloadPackage({ one: { name, version } }: { one: Pick<FullPackage, 'name' | 'version'> }) {
  const href = `/admin/api/skill-packages/${encodeURIComponent(name)}/versions/${version}/archive`;
  return <DownloadButton label="Download" href={href} />;
}
