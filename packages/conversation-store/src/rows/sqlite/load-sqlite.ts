/// <reference types="node" preserve="true" />
// Kept in the declarations: hosts see the types of `node:sqlite` also where their `types` do not name Node.
import { StoreError } from '../../problems/store-error.ts'
import type * as sqlite from 'node:sqlite'

/**
 * Returns Node's `node:sqlite`. Node 22 prints an `ExperimentalWarning` when that module is loaded; users of a store cannot act on it, so it is not
 * printed. Loading is synchronous, so no other warning can occur meanwhile.
 */
export function loadSqlite(): typeof sqlite {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    // Older releases of Node do not have the module, although the types say so.
    const module: typeof sqlite | undefined = process.getBuiltinModule('node:sqlite')
    if (module) return module
    throw new StoreError(
      'cannot-open',
      `Stores in files need Node.js 22.18 or later, got ${process.version}; update Node.js.`,
    )
  } finally {
    process.emitWarning = emitWarning
  }
}
