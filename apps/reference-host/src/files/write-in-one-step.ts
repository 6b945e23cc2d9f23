import { renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file whole: whoever reads it meanwhile reads what was there before. `mode` as in `writeFileSync`. Throws where
 * it cannot be written; then nothing has changed.
 */
export function writeInOneStep(file: string, text: string, { mode }: { mode: number }): void {
  const draft = `${file}.${process.pid}.new`
  try {
    writeFileSync(draft, text, { mode })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
