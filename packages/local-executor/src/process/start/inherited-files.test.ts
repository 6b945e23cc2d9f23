import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually, makeWorkspace, startHost } from '../../workspace.suite.ts'
import { coverFiles } from './inherited-files.ts'

// Other systems hide the files of their own accord, and have no /proc to look at.
const isOffLinux = process.platform !== 'linux'

test.skipIf(isOffLinux)(
  'files that the host got open from its own parent do not reach a tool',
  async () => {
    const { root, read } = makeWorkspace()
    const secret = openSync(join(root, 'secret'), 'w')
    // Node.js itself hides what stands before the first gap; 17, 40 and 300 stand behind one.
    const stdio = Array.from({ length: 301 }, (_, at) =>
      [9, 17, 40, 300].includes(at) ? secret : ('ignore' as const),
    )
    const program = `await tool('ls -l /proc/$$/fd > files').execute(call, context)`
    const host = startHost(root, program, stdio.slice(3))
    expect(await eventually(() => host.exitCode === 0)).toBe(true)
    closeSync(secret)
    const files = read('files')
    expect(files).toContain(' 300 -> /dev/null')
    expect(files).not.toContain('secret')
  },
)

test.skipIf(isOffLinux)('files are covered by the null device, and nothing else is', () => {
  expect(coverFiles([])).toEqual([])
  const covered = coverFiles([7, 4, 5])
  const nothing = covered.find((entry) => typeof entry === 'number') ?? -1
  expect(covered).toEqual(['ignore', nothing, nothing, 'ignore', nothing])
  expect(fstatSync(nothing).isCharacterDevice()).toBe(true)
  closeSync(nothing)
})
