// A Kysely dialect for node:sqlite. Each line is public API.
export { NodeSqliteDialect } from './node-sqlite.dialect.js';
export type { NodeSqliteOptions } from './node-sqlite.driver.js';
export { NodeSqliteReaderDialect } from './node-sqlite-reader.dialect.js';
export { LogFlusher } from './log-flusher.js';
