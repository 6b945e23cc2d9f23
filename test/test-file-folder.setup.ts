import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, inject } from 'vitest'

// Each test file has a temporary folder, so that the run can name the file that leaves something.
const folder = mkdtempSync(join(inject('temporaryFolder'), 'f'))
chmodSync(folder, 0o1777)
writeFileSync(`${folder}.txt`, relative(process.cwd(), expect.getState().testPath ?? ''))
process.env['TMPDIR'] = folder
