import { StoreError } from '../problems/store-error.ts'

/** The tables of an engine, and how those of earlier versions become them. */
export interface Layout {
  /** The number that a store contains. */
  version: number
  /** SQL that creates the tables in an empty store. */
  create: string
  /** SQL by the number of the layout that it makes from the one before. A store runs all that it needs in one transaction. */
  changes: Readonly<Record<number, string>>
}

/**
 * Returns the SQL that gives a store the tables of a layout. `from` is the number that the store contains, 0 if it is empty.
 *
 * @throws StoreError with code `newer-version`, or with `older-version` if no change leads from that layout.
 */
export function getLayoutSteps(layout: Layout, from: number, store: string): readonly string[] {
  const { version, create, changes } = layout
  if (from === 0) return [create]
  if (from > version) {
    const message = `${store} was written by a newer version (layout ${from}, this one reads ${version}); update toolblocks.`
    throw new StoreError('newer-version', message)
  }
  const steps = Array.from({ length: version - from }, (_, index) => changes[from + 1 + index])
  if (steps.every((step) => step !== undefined)) return steps
  const message = `${store} was written before the first release (layout ${from}, this one reads ${version}) and cannot be read; choose another file or database, or export its conversations with the version that wrote it.`
  throw new StoreError('older-version', message)
}
