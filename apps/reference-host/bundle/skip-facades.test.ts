import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { skipFacades } from './skip-facades.ts'

const FILES = {
  'main.mjs': `
const { one } = await import('./one.mjs')
const two = await import('./two.mjs')
console.log(one(), two.two())`,
  'one.mjs': `import { shared } from './shared.mjs'; export const one = () => shared + 1`,
  'two.mjs': `import { shared } from './shared.mjs'; export const two = () => shared + 2; export const other = 3`,
  'shared.mjs': 'export const shared = 0',
}

describe('skipFacades', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolblocks-facades-'))
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
    await build({
      input: join(folder, 'main.mjs'),
      platform: 'node',
      output: {
        dir: join(folder, 'dist'),
        minifyInternalExports: false,
        codeSplitting: { groups: [{ name: 'both', test: /(?:one|two)\.mjs$/ }] },
        plugins: [skipFacades()],
      },
    })
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('leaves the entry and the file with the code', async () => {
    const names = await readdir(join(folder, 'dist'))
    expect(names.map((name) => name.replace(/-.*/, '')).toSorted()).toEqual(['both', 'main.js'])
  })

  it('resolves imports by name', async () => {
    const { stdout } = await execa(process.execPath, [join(folder, 'dist/main.js')])
    expect(stdout).toBe('1 2')
  })

  it('is used for the command, whose call starts without a facade', async () => {
    const names = await readdir(dirname(inject('command')))
    expect(names.filter((name) => /^(?:run-command|call-tool|keep-compiled)/.test(name))).toEqual(
      [],
    )
  })
})
