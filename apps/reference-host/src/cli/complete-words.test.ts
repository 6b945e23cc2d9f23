import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toolblocks, type Ran } from './toolblocks.support.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-complete-'))
  const tool =
    '[tools.tool]\nsource = "local"\ncommand = "true"\nsummary = "Counts."\nparameters = {}\n'
  await writeFile(join(folder, 'toolblocks.toml'), `${tool}[serve.clients.ann]\n`)
})
afterEach(async () => rm(folder, { recursive: true }))

const run = (...args: string[]): Promise<Ran> => toolblocks(folder, ...args)

test('words are completed by the library: commands, options, and the tools and clients of the workspace', async () => {
  expect((await run('completion', 'bash')).stdout).toContain('toolblocks complete --')
  expect((await run('complete', '--', 'call', 't')).stdout).toContain('tool\tCounts.')
  expect((await run('complete', '--', 'call', 'tool', '--ans')).stdout).toContain('--answer\t')
  expect((await run('complete', '--', 'conversations', 'list', '--client', 'a')).stdout).toContain(
    'ann',
  )
  expect((await run('complete', '--', 'conversations', 'list', '--cl')).stdout).toContain(
    '--client\tonly those of this client',
  )
})

test('config schema prints the JSON Schema of the configuration', async () => {
  expect(JSON.parse((await run('config', 'schema')).stdout)).toMatchObject({
    properties: { tools: {}, format: {}, store: {} },
  })
})
