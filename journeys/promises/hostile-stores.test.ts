import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { setTrap } from './hostile-folders.support.ts'

test.for(['a pipe', 'a folder', 'a link'])(
  'promise nothing without a yes: after a yes, the place of a store is a file of the folder, otherwise a message says what it is: %s',
  async (what) => {
    const { folder, outside } = await setTrap([])
    const settings = '[store]\nurl = "sqlite:kept.db"\n[model]\nprovider = "scripted"\n'
    writeFileSync(join(folder, 'toolblocks.toml'), settings)
    const path = join(folder, 'kept.db')
    if (what === 'a pipe') execFileSync('mkfifo', [path])
    else if (what === 'a folder') mkdirSync(path)
    else symlinkSync(join(outside, 'kept.txt'), path)
    for (const args of [
      ['run', 'hello'],
      ['conversations', 'list'],
    ]) {
      const { code, stderr } = await toolblocks(folder, ...args)
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/kept\.db .*expected a (?:regular )?file/),
      ])
    }
  },
)
