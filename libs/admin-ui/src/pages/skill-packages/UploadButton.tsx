import { ApiError } from '../../api/api-error';
import { FileImportButton } from '../../components/FileImportButton';
import { showDone } from '../../components/notices';
import { type FullPackage, useUploadPackage } from './use-packages';

/** The problems of a refused file. */
export interface RefusedUpload {
  file: string;
  problems: { file: string; line?: number | undefined; message: string }[];
}

interface UploadButtonProps {
  /** Called with the problems; null when all files were accepted. */
  onRefused: (refused: RefusedUpload | null) => void;
  onSaved?: (saved: FullPackage) => void;
}

/** Button that uploads packages, one after the other; stops at the first one that is refused. */
export function UploadButton({ onRefused, onSaved }: UploadButtonProps) {
  const { mutateAsync, isPending } = useUploadPackage();
  const upload = async (files: readonly File[]) => {
    onRefused(null);
    for (const file of files) {
      try {
        const saved = await mutateAsync(file);
        showDone(`${saved.name} is saved as version ${saved.version}.`);
        onSaved?.(saved);
      } catch (error) {
        return onRefused(refusedOf(file, error));
      }
    }
  };
  return (
    <FileImportButton
      label="Upload"
      accept=".zip,.skill,.md"
      loading={isPending}
      onFiles={(files) => void upload(files)}
    />
  );
}

function refusedOf({ name: file }: File, error: unknown): RefusedUpload {
  const message = error instanceof Error ? error.message : String(error);
  const fields = error instanceof ApiError ? error.fields : [];
  const problems = fields.map(({ path, line, message: what }) => ({ file: path, line, message: what }));
  return { file, problems: problems.length > 0 ? problems : [{ file, message }] };
}
