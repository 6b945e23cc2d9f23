import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { attachFile } from './attach-file.ts'

test('a file is attached to a message as it is; a path that is not a file is reported', async () => {
  const root = mkdtempSync(join(tmpdir(), 'toolblocks-attach-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'notes.txt'), 'Notes.')
  mkdirSync(join(root, 'folder'))
  expect(await attachFile(root, 'notes.txt')).toMatchObject({
    ok: true,
    block: { type: 'resource', resource: { text: 'Notes.' } },
  })
  expect(await attachFile(root, 'nothing')).toEqual({
    ok: false,
    message: 'nothing does not exist',
  })
  expect(await attachFile(root, 'folder')).toEqual({
    ok: false,
    message: 'folder is a folder, not a file',
  })
})
