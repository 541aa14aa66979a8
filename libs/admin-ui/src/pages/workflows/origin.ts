import { callerName } from '../../components/caller-name';
import type { WorkflowVersion } from './use-workflows';

/** Describes the source of a version. */
export function originOf({ source, author }: Pick<WorkflowVersion, 'source' | 'author'>): string {
  switch (source) {
    case 'file':
      return 'File';
    case 'admin':
      return 'Administration';
    case 'assistant':
      return `Proposed by an assistant of ${author === null ? 'a client' : callerName(author)}`;
  }
}
