// What `@toolblocks/session-import` and the command need of this package beside its API. It may change in any version.
export { findEventProblem } from './events/decode-event.ts'
export { damagedEvent } from './problems/store-error.ts'
export { openStoredEvent, readStoredBytes } from './rows/read-row.ts'
export { type SqlRow, toBytes } from './rows/sql-row.ts'
export { loadSqlite } from './rows/sqlite/load-sqlite.ts'
export { openEvents } from './store/open-events.ts'
