import { ApiError } from '../api/api-error';
import { messageOf } from './ErrorNotice';
import { FileImportButton } from './FileImportButton';
import { showDone } from './notices';

/** A file that the service did not take. */
export interface RefusedFile {
  file: string;
  /** Its mistakes, each with the file in which it is. */
  problems: { file: string; line?: number | undefined; message: string }[];
}

interface UploadButtonProps<Saved> {
  /** Value of the attribute `accept` of a file input. */
  accept: string;
  upload: { mutateAsync: (file: File) => Promise<Saved>; isPending: boolean };
  /** Describes what was saved. */
  doneOf: (saved: Saved) => string;
  /** Called with the first file that is refused; null when an upload begins. */
  onRefused: (refused: RefusedFile | null) => void;
}

/** Button that uploads files, one after the other; stops at the first one that is refused. */
export function UploadButton<Saved>({ accept, upload, doneOf, onRefused }: UploadButtonProps<Saved>) {
  const send = async (files: readonly File[]) => {
    onRefused(null);
    for (const file of files) {
      try {
        showDone(doneOf(await upload.mutateAsync(file)));
      } catch (error) {
        return onRefused({ file: file.name, problems: problemsOf(file, error) });
      }
    }
  };
  return (
    <FileImportButton label="Upload" accept={accept} loading={upload.isPending} onFiles={(files) => void send(files)} />
  );
}

function problemsOf({ name: file }: File, error: unknown): RefusedFile['problems'] {
  const fields = error instanceof ApiError ? error.fields : [];
  if (fields.length === 0) return [{ file, message: messageOf(error) }];
  return fields.map(({ path, line, message }) => ({ file: path, line, message }));
}
