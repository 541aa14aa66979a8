import { AppError } from '../errors/app-error.js';

/** Thrown when there is no document of that id. */
export class DocumentNotFound extends AppError {
  constructor(id: string) {
    super(
      'not_found',
      'knowledge.document_not_found',
      `there is no document ${JSON.stringify(id)} in the knowledge base: search for it with knowledge_search`,
    );
  }
}

/** Thrown when a document is too long, or has nothing in it. */
export class InvalidDocument extends AppError {
  constructor(path: string, message: string) {
    super('invalid', 'knowledge.invalid_document', `${path} ${message}`, { fields: [{ path, message }] });
  }
}
