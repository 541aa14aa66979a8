import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { PROJECT_ROOT } from '../../platform/environment/project-root.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Page } from '../../platform/paging/page-cursor.js';
import { RUN_VIEW_URI } from '../skills/skill-views.js';
import type { ResourceContent, ResourceEntry, ResourceStore, ResourceTemplateEntry } from './resource-store.js';

/** The built files of the views, by URI. */
const FILES = new Map([[RUN_VIEW_URI, 'run.html']]);
const FOLDER = join(PROJECT_ROOT, 'libs/app-views/dist');
const MIME_TYPE = 'text/html;profile=mcp-app';

/** Thrown while the first start still builds the views, or when the build failed. */
class ViewNotBuilt extends AppError {
  constructor(uri: string) {
    super(
      'unavailable',
      'resources.view_not_built',
      `The view ${uri} is not built yet. The first start builds it, which takes up to a minute; npm run build:ui says what is wrong if it does not appear.`,
    );
  }
}

/**
 * Serves `ui://...`, the pages that assistants show in conversations (MCP Apps). Tools refer to them in their `_meta`; they are
 * in no list, where people look for something to read.
 */
@Injectable()
export class ViewResources implements ResourceStore {
  readonly scheme = 'ui';
  readonly position = 6;

  async listPage(): Promise<Page<ResourceEntry>> {
    return { items: [], nextCursor: null };
  }

  templates(): ResourceTemplateEntry[] {
    return [];
  }

  canonical(uri: string): string | null {
    return FILES.has(uri) ? uri : null;
  }

  async read(uri: string): Promise<ResourceContent[] | null> {
    const file = FILES.get(uri);
    if (file === undefined) return null;
    // The page makes no requests, so the assistant's content security policy (no connections) needs no exceptions.
    return [{ uri, mimeType: MIME_TYPE, text: await textOf(uri, file), _meta: { ui: { prefersBorder: true } } }];
  }

  async complete(): Promise<string[]> {
    return [];
  }

  watch(): () => void {
    return () => {}; // a new build requires a restart
  }
}

async function textOf(uri: string, file: string): Promise<string> {
  try {
    return await readFile(join(FOLDER, file), 'utf8');
  } catch {
    throw new ViewNotBuilt(uri);
  }
}
