declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
  /** The class-transformer metadata that `@Type` writes; the package ships it without types. */
  export const defaultMetadataStorage: MetadataStorage;
}
