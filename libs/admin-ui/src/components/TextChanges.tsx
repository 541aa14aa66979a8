import { type ComponentProps, lazy } from 'react';
import { LazyPart } from './LazyPart';
import { LoadingLines } from './LoadingLines';

const TextComparison = lazy(() => import('./code-editor/TextComparison'));

/** Shows what changed between two texts, once the scripts for it are loaded. */
export const TextChanges = (props: ComponentProps<typeof TextComparison>) => (
  <LazyPart fallback={<LoadingLines height={120} count={1} />}>
    <TextComparison {...props} />
  </LazyPart>
);
