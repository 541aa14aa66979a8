import { ApiError } from '../../api/api-error';
import { FileImportButton } from '../../components/FileImportButton';
import { showDone } from '../../components/notices';
import { useUploadModule } from './use-modules';

/** A file with mistakes. */
export interface RefusedFile {
  file: string;
  problems: readonly string[];
}

/** Button that uploads modules, one after the other; stops at the first one that is refused. */
export function UploadModules({ onRefused }: { onRefused: (refused: RefusedFile | null) => void }) {
  const { mutateAsync, isPending } = useUploadModule();
  const upload = async (files: readonly File[]) => {
    onRefused(null);
    for (const file of files) {
      try {
        const { name, version, isWaiting } = await mutateAsync(file);
        showDone(`${name} is saved as version ${version}${isWaiting ? ', and waits for approval' : ''}.`);
      } catch (error) {
        return onRefused({ file: file.name, problems: problemsOf(error) });
      }
    }
  };
  return (
    <FileImportButton
      label="Upload"
      accept=".ts,.mts,.js,.mjs,.zip"
      loading={isPending}
      onFiles={(files) => void upload(files)}
    />
  );
}

function problemsOf(error: unknown): string[] {
  if (error instanceof ApiError && error.fields.length > 0) return error.fields.map(({ message }) => message);
  return [error instanceof Error ? error.message : String(error)];
}
