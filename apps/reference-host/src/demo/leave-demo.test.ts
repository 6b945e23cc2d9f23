import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toolblocks, visit } from '../cli/toolblocks.support.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-leave-'))
})
afterEach(async () => rm(folder, { recursive: true }))

const ASKS = /Run delete_file\?[^]*No/

/** Text that is printed just before the first tool runs. */
const BEGINS = /I look at the files/

test.for<[string, RegExp, string | { signal: 'SIGTERM' | 'SIGHUP' }, number]>([
  ['Ctrl-C at a prompt', ASKS, '\u0003', 130],
  ['SIGTERM', BEGINS, { signal: 'SIGTERM' }, 143],
  ['SIGHUP', BEGINS, { signal: 'SIGHUP' }, 129],
])('%s ends the demo and removes its temporary workspace', async ([, when, how, expected]) => {
  const { code, written } = await visit(folder, ['demo'], [[when, how]], {
    environment: { TMPDIR: folder },
    patience: 50_000,
  })
  expect(code).toBe(expected)
  expect(written).not.toContain('What happened')
  expect(await readdir(folder)).toEqual([])
})

test('a person who declines gets no messages about failures that follow from it', async () => {
  const { code, written } = await visit(
    folder,
    ['demo'],
    [
      [ASKS, 'n\r'],
      [/Apply this change[^]*No/, 'n\r'],
      [/0\.\.100[^]*Apply this change[^]*No/, 'n\r'],
      [/Which part[^]*confirm/, '\r'],
      [/1 of 3[^]*Ada/, '\r'],
      [/2 of 3[^]*ada@/, '\r'],
      [/3 of 3[^]*No/, '\r'],
      [/Send this[^]*confirm/, '\r'],
      [/1 of 2[^]*Ada/, '\u001B'],
      [/What do you want to do[^]*confirm/, '\u001B[B'],
      [/without an answer/, '\r'],
    ],
    { patience: 50_000 },
  )
  const plain = stripVTControlCharacters(written)
  expect(code).toBe(0)
  expect(plain).toContain('No changes.')
  expect(plain).toContain('The harbor has noted nothing.')
  expect(plain).toContain('Calls: 14 completed, 2 failed, 1 denied.')
})

test('without a terminal each part shows its main point: the diff that was decided about, the end of the log, the prompt of git', async () => {
  const { stdout } = await toolblocks(folder, 'demo')
  expect(stdout).toMatch(
    /│ -.*from_millis\(500\)[^]*│ \+.*from_millis\(250\)[^]*the script answers true/,
  )
  expect(stdout).toContain('00900000 lamp on, lamp off')
  expect(stdout).toContain('(1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,e,?]?\n')
  expect(stdout).toContain('(2/2) Stage this hunk')
})
