import { Button, FileButton } from '@mantine/core';
import { UploadIcon } from '@primer/octicons-react';
import { useRef } from 'react';

interface FileImportButtonProps {
  label: string;
  /** Value of the attribute `accept` of a file input. */
  accept: string;
  loading: boolean;
  /** True to choose a folder, with all files in it. */
  isFolder?: boolean;
  onFiles: (files: File[]) => void;
}

/** Button that lets the user choose files. The same files may be chosen again. */
export function FileImportButton({ label, accept, loading, isFolder = false, onFiles }: FileImportButtonProps) {
  const reset = useRef<() => void>(null);
  const choose = (files: File[]) => {
    reset.current?.();
    if (files.length > 0) onFiles(files);
  };
  return (
    <FileButton
      multiple
      accept={accept}
      resetRef={reset}
      onChange={choose}
      inputProps={{ 'aria-label': label, ...(isFolder && { webkitdirectory: '' }) }}
    >
      {(props) => (
        <Button {...props} variant="default" loading={loading} leftSection={<UploadIcon size={16} aria-hidden />}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}
