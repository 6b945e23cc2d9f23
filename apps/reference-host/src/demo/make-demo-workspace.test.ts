import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeDemoWorkspace } from './make-demo-workspace.ts'

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

test.for([
  ['an older one', '20.1.0', false],
  ['a new one', '99.0.0', true],
] as const)(
  'whether the programs of the demo run with the Node of the PATH: %s',
  async ([, version, isUsed]) => {
    const folder = await mkdtemp(join(tmpdir(), 'toolblocks-path-'))
    onTestFinished(async () => await rm(folder, { recursive: true }))
    await writeFile(join(folder, 'node'), `#!/bin/sh\necho v${version}\n`, { mode: 0o755 })
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const workspace = await makeDemoWorkspace({ atExit: 'remove' })
    onTestFinished(workspace.remove)
    const text = await readFile(join(workspace.folder, 'toolblocks.toml'), 'utf8')
    expect(text.includes('"node"')).toBe(isUsed)
    expect(text.includes(JSON.stringify(process.execPath))).toBe(!isUsed)
  },
)
