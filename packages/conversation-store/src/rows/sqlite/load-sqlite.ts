/// <reference types="node" preserve="true" />
// Kept in the declarations: hosts see the types of `node:sqlite` also where their `types` do not name Node.
import type * as sqlite from 'node:sqlite'

/**
 * Returns Node's `node:sqlite`. Node 22 prints an `ExperimentalWarning` when that module is loaded; no user of a store can act on it, so it
 * is not printed. Loading runs to its end at once: no other warning can come meanwhile.
 */
export function loadSqlite(): typeof sqlite {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
