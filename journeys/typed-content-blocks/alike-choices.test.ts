import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { getScreen } from '../stage/screen.ts'

/** Asks for a size among values that look alike, and prints the answer as JSON. */
const ASK = `import { text } from 'node:stream/consumers'
const { tool } = JSON.parse(await text(process.stdin))
const { size } = tool.answers
const schema = { type: 'string', enum: ['all', 'none', 'all', 2, '2', null], default: 'none' }
const question = { id: 'size', text: 'Which size?', schema }
const block = size === undefined ? { type: 'question', question } : { type: 'text', text: 'It is ' + JSON.stringify(size) + '.' }
console.log(JSON.stringify({ content: [block] }))
`

const prepareFolder = (): string =>
  makeFolder({
    'ask.mjs': ASK,
    'toolblocks.toml': tool('ask', [process.execPath, 'ask.mjs']),
  })

test('000 question schema: choices that look alike are shown as different ones, duplicates once, and a person can choose each', async () => {
  const folder = prepareFolder()
  for (const [typed, value] of [
    ['2', '2'],
    ['"2"', '"2"'],
    ['null', 'null'],
  ] as const) {
    const { code, written } = await visit(
      folder,
      ['call', 'ask'],
      [
        [/Which size\?[^]*null[^]*navigate/, typed],
        [/Enter: /, '\r'],
      ],
    )
    const screen = await getScreen(written)
    expect([code, screen]).toEqual([0, expect.stringContaining(`It is ${value}.`)])
    expect(written).toMatch(/all[^]*none[^]*2[^]*"2"[^]*null/)
    expect(written.slice(0, written.indexOf('null')).split('all')).toHaveLength(2)
  }
})

test('000 question schema: each of them can be given with --answer', async () => {
  const folder = prepareFolder()
  for (const [typed, value] of [
    ['2', '2'],
    ['"2"', '"2"'],
    ['null', 'null'],
    ['all', '"all"'],
  ] as const) {
    const { code, stdout } = await toolblocks(folder, 'call', 'ask', `--answer=size=${typed}`)
    expect([typed, code, stdout]).toEqual([typed, 0, expect.stringContaining(`It is ${value}.`)])
  }
})

test.skipIf(process.platform === 'win32')(
  '000 question schema: a question is asked on standard error if standard output is a file, which gets the result alone',
  async () => {
    const folder = prepareFolder()
    const { code, written } = await visit(
      folder,
      ['call', 'ask'],
      [
        [/Which size\?[^]*navigate/, 'none'],
        [/Enter: none/, '\r'],
      ],
      { outputFile: 'out' },
    )
    expect([code, readFileSync(join(folder, 'out'), 'utf8')]).toEqual([0, 'It is "none".\n'])
    expect(written).not.toContain('It is')
  },
)
