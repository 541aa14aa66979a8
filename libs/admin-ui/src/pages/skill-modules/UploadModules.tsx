import { type RefusedFile, UploadButton } from '../../components/UploadButton';
import { useUploadModule } from './use-modules';

export const UploadModules = ({ onRefused }: { onRefused: (refused: RefusedFile | null) => void }) => (
  <UploadButton
    accept=".ts,.mts,.js,.mjs,.zip"
    upload={useUploadModule()}
    doneOf={({ name, version, isWaiting }) =>
      `${name} is saved as version ${version}${isWaiting ? ', and waits for approval' : ''}.`
    }
    onRefused={onRefused}
  />
);
