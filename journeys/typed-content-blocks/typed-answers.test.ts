import { expect, test } from 'vitest'
import { visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { getScreen } from '../stage/screen.ts'

/** Asks one question, and prints the answer as JSON. */
function prepareFolder(schema: object, preselected?: string): string {
  const question = {
    id: 'answer',
    text: 'What now?',
    schema,
    ...(preselected !== undefined && { default: preselected }),
  }
  const script = `import { text } from 'node:stream/consumers'
const { answer } = JSON.parse(await text(process.stdin)).tool.answers
const question = ${JSON.stringify({ type: 'question', question })}
const block = answer === undefined ? question : { type: 'text', text: 'Given: ' + JSON.stringify(answer) }
console.log(JSON.stringify({ content: [block] }))`
  return makeFolder({
    'ask.mjs': script,
    'toolblocks.toml': tool('ask', [process.execPath, 'ask.mjs']),
  })
}

const LETTERS = ['y', 'n', 's', 'q']
const BRANCHES = ['main', 'develop', 'staging']

test.for([
  [LETTERS, 'n', 'n'],
  [LETTERS, 'q', 'q'],
  [BRANCHES, 'staging', 'staging'],
  [BRANCHES, 'dev', 'develop'],
  [BRANCHES, 'gin', 'staging'],
] as const)(
  '000 question schema: of the choices %s, a typed "%s" chooses %s, and not the default',
  async ([choices, typed, chosen]) => {
    const folder = prepareFolder({ type: 'string', enum: choices }, choices[0])
    const { code, written } = await visit(
      folder,
      ['call', 'ask'],
      [
        [/What now\?[^]*navigate/, typed],
        [new RegExp(`Enter: ${chosen}`), '\r'],
      ],
    )
    expect([code, await getScreen(written)]).toEqual([
      0,
      expect.stringContaining(`Given: "${chosen}"`),
    ])
  },
)

const TEXT = ['first line', '  second: line', 'third line'] as const

test.for([
  ['marked, with carriage returns', `\u001B[200~${TEXT.join('\r')}\r\u001B[201~`],
  ['marked, with line feeds', `\u001B[200~${TEXT.join('\n')}\n\u001B[201~`],
  ['not marked, with carriage returns', `${TEXT.join('\r')}\r`],
  ['not marked, with line feeds', `${TEXT.join('\n')}\n`],
])(
  '000 question schema: a text takes pasted lines whole, shows them, and is sent by Enter alone: %s',
  async ([, pasted = '']) => {
    const folder = prepareFolder({ type: 'string' })
    const { code, written } = await visit(
      folder,
      ['call', 'ask'],
      [
        [/What now\?[^]*└/, pasted],
        [/first line⏎[^]*second: line⏎[^]*third line/, ', the end'],
        [/, the end/, '\r'],
      ],
    )
    expect(code).toBe(0)
    const answerText = JSON.stringify(`${TEXT.join('\n')}, the end`)
    expect((await getScreen(written)).replaceAll(/\n */g, ' ')).toContain(`Given: ${answerText}`)
  },
)
