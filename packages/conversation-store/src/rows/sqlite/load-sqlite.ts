/// <reference types="node" preserve="true" />
// Kept in the declarations: hosts see the types of `node:sqlite` also where their `types` do not name Node.
import type * as sqlite from 'node:sqlite'

/**
 * Returns Node's `node:sqlite`. Node 22 prints an `ExperimentalWarning` when that module is loaded; users of a store cannot act on it, so it is not
 * printed. Loading is synchronous, so no other warning can occur meanwhile.
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
