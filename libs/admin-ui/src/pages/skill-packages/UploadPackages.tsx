import { type RefusedFile, UploadButton } from '../../components/UploadButton';
import { useUploadPackage } from './use-packages';

export const UploadPackages = ({ onRefused }: { onRefused: (refused: RefusedFile | null) => void }) => (
  <UploadButton
    accept=".zip,.skill,.md"
    upload={useUploadPackage()}
    doneOf={({ name, version }) => `${name} is saved as version ${version}.`}
    onRefused={onRefused}
  />
);
