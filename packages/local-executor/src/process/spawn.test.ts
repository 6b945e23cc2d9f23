import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually, makeWorkspace, startHost } from '../workspace.support.ts'
import { coverFiles, findInherited } from './spawn.ts'

// Other systems close the files by themselves and have no /proc to check.
const isOffLinux = process.platform !== 'linux'

test.skipIf(isOffLinux)(
  'files that the host inherited from its parent do not reach a tool',
  async () => {
    const { root, read } = makeWorkspace()
    const secret = openSync(join(root, 'secret'), 'w')
    // Node.js itself closes the descriptors before the first gap; 17, 40 and 300 come after one.
    const stdio = Array.from({ length: 301 }, (_, descriptor) =>
      [9, 17, 40, 300].includes(descriptor) ? secret : ('ignore' as const),
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

test.skipIf(isOffLinux)('only these files are covered by the null device', () => {
  expect(coverFiles([])).toEqual([])
  const covered = coverFiles([7, 4, 5])
  const nothing = covered.find((entry) => typeof entry === 'number') ?? -1
  expect(covered).toEqual(['ignore', nothing, nothing, 'ignore', nothing])
  expect(fstatSync(nothing).isCharacterDevice()).toBe(true)
  closeSync(nothing)
})

test('a new program inherits descriptors without close-on-exec, from 3 up to the maximum of the list', () => {
  const open = 'pos:\t0\nflags:\t0100002\nmnt_id:\t29\n'
  const closing = 'pos:\t0\nflags:\t02100002\nmnt_id:\t29\n'
  const infos: Readonly<Record<number, string>> = { 5: closing, 6: '', 7: 'inotify flags:\t0\n' }
  const files = [0, 1, 2, 3, 4, 5, 6, 7, 8, 4095, 4096, Number.NaN]
  expect(findInherited(files, (file) => infos[file] ?? open)).toEqual([3, 4, 8, 4095])
})
