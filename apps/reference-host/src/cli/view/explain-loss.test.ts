import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { explainLoss } from './explain-loss.ts'
import { readMarks } from './watch-path.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolblocks-loss-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.for<[string, (file: string) => void, RegExp]>([
  ['was changed', (file) => writeFileSync(file, '{}\n{}\n'), /It is read again now\./],
  [
    'was emptied',
    (file) => truncateSync(file),
    /is now empty\. .* If you put a file with conversations there, it is read again\./,
  ],
  [
    'was replaced by a pipe',
    (file) => {
      rmSync(file)
      execFileSync('mkfifo', [file])
    },
    /is now a device or a pipe\./,
  ],
  ['was deleted', (file) => rmSync(file), /was deleted or moved/],
  ['is unchanged', () => {}, /no loss/],
])('a file that %s while it was read is described by what is there now', ([, change, expected]) => {
  const file = join(folder, 'session.jsonl')
  writeFileSync(file, '{}\n')
  const seen = readMarks(file)
  change(file)
  const message = explainLoss(file, { seen, visible: 'beginning' })
  expect(message ?? 'no loss').toMatch(expected)
})
