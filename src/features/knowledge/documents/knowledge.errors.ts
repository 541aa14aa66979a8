import { AppError } from '../../../platform/errors/app-error.js';
import type { Document } from './document.js';
import { documentUri } from './document.rules.js';

export class DocumentNotFound extends AppError {
  constructor(id: string) {
    super(
      'not_found',
      'knowledge.document_not_found',
      `there is no document ${JSON.stringify(id)} in the knowledge base: search for it with knowledge_search`,
    );
  }
}

export class DocumentConflict extends AppError {
  /** @param basedOn 0 = the caller knew of no such document */
  constructor(
    readonly present: Document,
    basedOn: number,
  ) {
    const { id, title, version, source } = present;
    const change = basedOn === 0 ? 'exists already' : `has changed since version ${basedOn}`;
    const saved = source === null ? '' : `, saved by ${JSON.stringify(source)}`;
    super(
      'outdated',
      'knowledge.document_moved_on',
      `${JSON.stringify(title)} at ${documentUri(id)} ${change}: it is version ${version} now${saved}. Nothing was ` +
        `changed. Read it again, put your change into that text, and save it with version ${version}.`,
    );
  }
}

export class RemovedDocumentNotFound extends AppError {
  /** @param name of its place in the trash, or its id as a document; null = none was given @param others other documents that the caller may restore */
  constructor(name: string | null, others: readonly string[] = []) {
    const problem =
      name === null
        ? 'uri is missing: give the uri that the removed document had.'
        : `there is no removed document ${JSON.stringify(name)}: it has been restored or deleted for good, or was never removed.`;
    const known = others.length === 0 ? '' : ` Removed last: ${others.join('; ')}.`;
    super('not_found', 'knowledge.removed_document_not_found', `${problem}${known}`);
  }
}

/** Thrown when concurrent calls take every address or path that a restored document could have. */
export class AddressTaken extends AppError {
  constructor() {
    super(
      'conflict',
      'knowledge.address_taken',
      'Others have taken the address or the path of the removed document just now. It is still in the trash: restore it again.',
    );
  }
}

export class VersionNotFound extends AppError {
  constructor(id: string, version: number) {
    super(
      'not_found',
      'knowledge.version_not_found',
      `${documentUri(id)} has no earlier version ${version}: ${documentUri(id)}/history lists those that are kept`,
    );
  }
}

/** Thrown when reading a file takes more time or memory than allowed, or crashes the reader. */
export class FileNotRead extends AppError {
  constructor(path: string, reason: string) {
    const message = `${path} cannot be imported: ${reason}. Make it shorter or simpler, or import it as Markdown.`;
    super('invalid', 'knowledge.file_not_read', message, { fields: [{ path: 'content', message: reason }] });
  }
}

export class FileRefused extends AppError {
  constructor(path: string, reason: string) {
    super('invalid', 'knowledge.file_refused', `${path} cannot be imported: ${reason}`, {
      fields: [{ path: 'content', message: reason }],
    });
  }
}

/** Thrown when a small change of a document is ambiguous. */
export class EditRefused extends AppError {
  constructor(problem: string) {
    super('invalid', 'knowledge.edit_refused', `${problem}. Nothing was changed.`);
  }
}

/** Thrown when a call that changes a whole document gets the address of a part. */
export class NotWholeDocument extends AppError {
  constructor(message: string) {
    super('invalid', 'knowledge.not_whole_document', message, { fields: [{ path: 'uri', message }] });
  }
}

export class InvalidDocument extends AppError {
  constructor(path: string, message: string) {
    super('invalid', 'knowledge.invalid_document', `${path} ${message}`, { fields: [{ path, message }] });
  }
}

export class InvalidSourceName extends AppError {
  constructor(name: string) {
    const problem = `${JSON.stringify(name)} cannot name what is imported: a name has 1 to 100 characters, begins with a letter or digit, and has no slash`;
    super('invalid', 'knowledge.invalid_source_name', `${problem}. Give one with --name.`);
  }
}

export class FolderNotReadable extends AppError {
  constructor(folder: string, reason: string) {
    super('invalid', 'knowledge.folder_not_readable', `The folder ${folder} cannot be read: ${reason}.`);
  }
}

export class SourceElsewhere extends AppError {
  constructor(name: string, place: string) {
    const quoted = JSON.stringify(name);
    super(
      'conflict',
      'knowledge.source_elsewhere',
      `${quoted} is the name of what is imported from ${place}. Nothing was imported. ` +
        'Import this folder under another name (on the command line with --name <name>); or, if it is the same folder and ' +
        'has moved, add --moved there.',
    );
  }
}
