import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { takeBuiltins } from './take-builtins.ts'

const PROGRAM = `
import path, { join as joinPaths, sep } from 'node:path'
import * as os from 'node:os'
import { default as events } from 'node:events'
import { text } from 'node:stream/consumers'
import 'node:util'
console.log(JSON.stringify([path.sep, joinPaths('a', 'b'), sep, typeof os.tmpdir, typeof events.once, typeof text]))
`

describe('takeBuiltins', () => {
  let folder: string
  let file: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolblocks-builtins-'))
    await writeFile(join(folder, 'program.mjs'), PROGRAM)
    await build({
      input: join(folder, 'program.mjs'),
      platform: 'node',
      output: { dir: join(folder, 'dist'), plugins: [takeBuiltins()] },
    })
    file = join(folder, 'dist/program.js')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('leaves no import of a module of Node', async () => {
    expect(await readFile(file, 'utf8')).not.toMatch(/^import\b/m)
  })

  it('each name has the value of its import', async () => {
    const { stdout } = await execa(process.execPath, [file])
    const imported = await execa(process.execPath, [join(folder, 'program.mjs')])
    expect(stdout).toBe(imported.stdout)
  })

  it('is used for every file of the command', async () => {
    const main = inject('command')
    const { stdout } = await execa('grep', ['-lE', '^import .*"node:', '-r', dirname(main)], {
      reject: false,
    })
    expect(stdout).toBe('')
  })
})
