import { toLastState } from '@toolblocks/protocol/internal'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toolblocks, visit } from '../../cli/toolblocks.support.ts'

vi.setConfig({ testTimeout: 20_000 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-shown-'))
})
afterEach(async () => rm(folder, { recursive: true }))

async function workspace(script: string, settings = ''): Promise<void> {
  await writeFile(join(folder, 'tool.sh'), script)
  await writeFile(
    join(folder, 'toolblocks.toml'),
    `[tools.tool]\nsource = "local"\ncommand = ["sh", "tool.sh"]\nrun = "unattended"\nparameters = {}\n${settings}`,
  )
}

const text = (value: string): object => ({ type: 'text', text: value })
const ask = (id: string): object => ({
  type: 'question',
  question: { id, text: `Is ${id} right?`, schema: { type: 'boolean' } },
})

/** Writes a tool that asks with these blocks, and ends when it has an answer for `three`. */
async function asking(blocks: readonly object[], settings = ''): Promise<void> {
  await writeFile(join(folder, 'blocks.json'), JSON.stringify({ content: blocks }))
  await workspace(
    `case "$(cat)" in *'"three":'*) echo done ;; *) cat blocks.json ;; esac`,
    settings,
  )
}

const THREE = [
  text('BEFORE ONE'),
  ask('one'),
  text('BEFORE TWO'),
  ask('two'),
  text(Array.from({ length: 60 }, (_, line) => `CHANGE ${line + 1}.`).join('\n')),
  ask('three'),
  text('AFTER ALL'),
]
const THREE_BLOCKS = ['BEFORE ONE', 'BEFORE TWO', 'CHANGE 1.', 'CHANGE 60.', 'AFTER ALL']

/** Returns the terminal output before the first question. */
function before(written: string, question: string): string {
  return stripVTControlCharacters(written).split(question)[0] ?? ''
}

describe('before a question a person sees', () => {
  test.for<[string, string[], string]>([
    ['by --answer', ['--answer', 'one=true', '--answer', 'two=false'], ''],
    ['by the configuration', [], 'questions.one.answer = true\nquestions.two.answer = true\n'],
  ])('every block once, in order, if questions were settled %s', async ([, answers, settings]) => {
    await asking(THREE, settings)
    const { written } = await visit(
      folder,
      ['call', 'tool', ...answers],
      [[/three right\?[^]*No/, 'y\r']],
    )
    const beforePrompt = before(written, 'Is three right?')
    const whole = stripVTControlCharacters(written)
    expect(THREE_BLOCKS.map((block) => whole.split(block).length - 1)).toEqual([1, 1, 1, 1, 1])
    // What the tool wrote after its last question is below the prompt.
    expect(THREE_BLOCKS.map((block) => beforePrompt.split(block).length - 1)).toEqual([
      1, 1, 1, 1, 0,
    ])
    const places = THREE_BLOCKS.map((block) => whole.indexOf(block))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(beforePrompt).not.toContain('more lines')
  })

  test('no block twice, if the person answers each question', async () => {
    await asking(THREE)
    const { written } = await visit(
      folder,
      ['call', 'tool'],
      [
        [/one right\?[^]*No/, 'y\r'],
        [/two right\?[^]*No/, 'y\r'],
        [/three right\?[^]*No/, 'y\r'],
      ],
    )
    const plain = stripVTControlCharacters(written)
    expect(THREE_BLOCKS.map((block) => plain.split(block).length - 1)).toEqual([1, 1, 1, 1, 1])
  })
})

describe('toolblocks call', () => {
  test('--no-input asks no person, even at a terminal', async () => {
    await asking(THREE)
    const { code, written } = await visit(folder, ['call', 'tool', '--no-input'], [])
    expect(code).toBe(5)
    expect(written).not.toContain('◆')
  })

  test('Ctrl-C at a prompt ends it with 130', async () => {
    await asking(THREE)
    const { code, written } = await visit(
      folder,
      ['call', 'tool'],
      [[/one right\?[^]*No/, '\u0003']],
    )
    expect(code).toBe(130)
    expect(written).toContain('cancelled')
  })

  test('Ctrl-C while a tool runs shows its output so far, and reports the cancellation', async () => {
    await workspace('echo so far; sleep 30')
    const { code, written } = await visit(folder, ['call', 'tool'], [[/tool/, '\u0003']])
    expect(code).toBe(130)
    expect(stripVTControlCharacters(written)).toMatch(/✗ cancelled\r\nso far/)
  })

  test('at 40 columns no row is wider, and words are not split', async () => {
    await workspace('for i in 1 2 3 4 5 6; do printf "several words to wrap "; done')
    const { written } = await visit(folder, ['call', 'tool'], [], { columns: 40 })
    // A call that takes longer shows its progress, and erases it.
    const rows = stripVTControlCharacters(toLastState(written).text).split('\r\n')
    expect(rows.filter((row) => row.length > 40)).toEqual([])
    expect(rows[0]).toBe('several words to wrap several words to')
  })

  test('output is cut on a terminal with a hint how to see the rest; piped output is complete', async () => {
    await workspace('seq 1 100')
    const { written } = await visit(folder, ['call', 'tool'], [])
    expect(written).toContain('… 60 more lines (shown with --lines all)')
    const lines = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join('')
    expect(await toolblocks(folder, 'call', 'tool')).toEqual({ code: 0, stdout: lines, stderr: '' })
  })

  test('--lines sets the limit, and the end of the output is kept', async () => {
    await workspace('seq 1 100')
    const { stdout } = await toolblocks(folder, 'call', 'tool', '--lines', '4')
    expect(stdout).toBe('1\n2\n3\n… 96 more lines (shown with --lines all)\n100\n')
    expect(await toolblocks(folder, 'call', 'tool', '--lines', '0')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--lines'),
    })
  })

  test('messages of the host go to standard error: failures, warnings, refusals', async () => {
    await workspace(
      `printf '%s' '{"content":[{"type":"text","text":"said"},{"type":"wat"}],"isError":true}'`,
    )
    const { stdout, stderr } = await toolblocks(folder, 'call', 'tool')
    expect(stdout).toBe('said\n')
    expect(stderr).toMatch(
      /^✗ failed\n! \/content\/1 .*\(expected "type" one of .*, got string "wat"\)\n$/,
    )
    await asking(THREE)
    expect(await toolblocks(folder, 'call', 'tool')).toMatchObject({
      code: 5,
      stdout: 'BEFORE ONE\n',
      stderr: expect.stringContaining('nobody could answer'),
    })
  })

  test('the standard error of a success is mentioned, and shown with --verbose', async () => {
    await workspace('echo fine; echo careful >&2')
    expect(await toolblocks(folder, 'call', 'tool')).toEqual({
      code: 0,
      stdout: 'fine\n',
      stderr: '(1 line on standard error; shown with --verbose)\n',
    })
    const { stderr } = await toolblocks(folder, 'call', 'tool', '--verbose')
    expect(stderr).toBe('1 line on standard error:\n│ careful\n')
  })
})
