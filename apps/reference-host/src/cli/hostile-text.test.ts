import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atTerminal, toolblocks, type Ran } from './toolblocks.support.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-host-'))
  await writeFile(
    join(folder, 'toolblocks.toml'),
    '[tools.tool]\nsource = "local"\ncommand = ["cat", "answer.json"]\nrun = "unattended"\nparameters = {}\n',
  )
})
afterEach(async () => rm(folder, { recursive: true }))

const run = (...args: string[]): Promise<Ran> => toolblocks(folder, ...args)

test('--output json is printable for every tool output, and parses to the same value', async () => {
  const hostile = 'a\u009D52;c;YQ==\u009Cb\u009B2J\u202E\u{E0041}\u2028\u007F'
  await writeFile(
    join(folder, 'answer.json'),
    JSON.stringify({ content: [{ type: 'text', text: hostile }] }),
  )
  const ran = await run('call', 'tool', '--output', 'json')
  expect(ran.stdout).toMatch(/^[\n\x20-\x7E]*$/)
  expect(JSON.parse(ran.stdout)).toMatchObject({ content: [{ type: 'text', text: hostile }] })
})

test('--model-view has colours only on a terminal, and none with NO_COLOR', async () => {
  const text = '\u001B[31mred\u001B[0m'
  await writeFile(
    join(folder, 'answer.json'),
    JSON.stringify({ content: [{ type: 'text', text }] }),
  )
  const args = ['call', 'tool', '--model-view']
  expect((await run(...args)).stdout).toBe('red\n')
  expect(await atTerminal(folder, args, {})).toContain(text)
  expect(await atTerminal(folder, args, { NO_COLOR: '1' })).toBe('red\r\n')
})

test('an error about usage repeats no typed text that acts on a terminal', async () => {
  const attack = 'a\u001B]0;title\u0007b\u009B2Jc\u001B[2J\u202E'
  const wrong = [
    [attack],
    ['call', 'tool', `--${attack}`],
    ['call', 'tool', '--output', attack],
    ['call', attack],
    ['call', 'tool', '--config', attack],
  ]
  for (const { code, stderr } of await Promise.all(wrong.map((args) => run(...args)))) {
    expect(code).toBe(2)
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(stderr).not.toMatch(/[\0-\x09\x0B-\x1F\x7F-\x9F\u202E]/)
  }
})
