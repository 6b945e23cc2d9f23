import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MODULE = new URL('make-demo-workspace.ts', import.meta.url).href

test.for([
  ['while it is in use', ''],
  ['while its files are being removed', 'void workspace.remove()'],
])('a process that ends %s removes its workspace', async ([, last]) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-workspace-'))
  const program = `
    const { makeDemoWorkspace } = await import(${JSON.stringify(MODULE)})
    const workspace = await makeDemoWorkspace({ atExit: 'remove' })
    ${last}
    process.exit(0)`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: folder },
  })
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
