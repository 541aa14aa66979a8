import { AppError } from '../errors/app-error.js';

/** Thrown when there is no document with that id. */
export class DocumentNotFound extends AppError {
  constructor(id: string) {
    super(
      'not_found',
      'knowledge.document_not_found',
      `there is no document ${JSON.stringify(id)} in the knowledge base: search for it with knowledge_search`,
    );
  }
}

/** Thrown when reading a file takes more time or memory than allowed, or crashes the reader. */
export class FileNotRead extends AppError {
  constructor(path: string, reason: string) {
    const message = `${path} can't be imported: ${reason}. Make it shorter or simpler, or import it as Markdown.`;
    super('invalid', 'knowledge.file_not_read', message, { fields: [{ path: 'content', message: reason }] });
  }
}

/** Thrown when a document is too long or has no title. */
export class InvalidDocument extends AppError {
  constructor(path: string, message: string) {
    super('invalid', 'knowledge.invalid_document', `${path} ${message}`, { fields: [{ path, message }] });
  }
}
