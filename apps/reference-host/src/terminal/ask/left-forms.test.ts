import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Step, visit } from '../../cli/toolblocks.support.ts'

vi.setConfig({ testTimeout: 20_000 })

const INTERRUPT = '\u0003'
const ESCAPE = '\u001B'

const FIELDS = {
  harbour: { type: 'string', title: 'Harbour' },
  berth: { type: 'integer', title: 'Berth' },
  covered: { type: 'boolean', title: 'Covered' },
  side: { enum: ['port', 'starboard'], title: 'Side' },
}

/** The prompts of the form: what a person sees, and what they type to go on. */
const STEPS: readonly Step[] = [
  [/Harbour \(1 of 4\)/, 'east\r'],
  [/Berth \(2 of 4\)/, '3\r'],
  [/Covered \(3 of 4\)[^]*No/, 'y\r'],
  [/Side \(4 of 4\)[^]*starboard/, 'port\r'],
  [/Send this, or choose what to change[^]*Side: port/, '\r'],
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-form-'))
  const schema = { type: 'object', properties: FIELDS, required: Object.keys(FIELDS) }
  const question = { id: 'q', text: 'Where is the boat?', schema }
  await writeFile(
    join(folder, 'question.json'),
    JSON.stringify({ content: [{ type: 'question', question }] }),
  )
  await writeFile(
    join(folder, 'tool.sh'),
    `told=$(cat); case "$told" in *'"answers":{}'*) cat question.json ;; *) printf '%s' "$told" > told ;; esac`,
  )
  await writeFile(
    join(folder, 'toolblocks.toml'),
    '[tools.tool]\nsource = "local"\ncommand = ["sh", "tool.sh"]\nrun = "unattended"\nparameters = {}\n',
  )
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const WAYS: readonly (readonly [way: string, leave: (field: RegExp) => readonly Step[]])[] = [
  ['Ctrl-C', (field) => [[field, INTERRUPT]]],
  [
    'Esc and then Ctrl-C',
    (field) => [
      [field, ESCAPE],
      [/What do you want to do\?[^]*Cancel/, INTERRUPT],
    ],
  ],
  ['Esc and Ctrl-C at once', (field) => [[field, ESCAPE + INTERRUPT]]],
]

test.concurrent.for(
  WAYS.flatMap(([way, leave]) =>
    STEPS.map(([field], index) => [way, index, leave(field)] as const),
  ),
)(
  '%s at prompt %i of a form cancels its question once, and the terminal is restored',
  async ([, index, leaving]) => {
    const { code, written } = await visit(
      folder,
      ['call', 'tool'],
      [...STEPS.slice(0, index), ...leaving],
    )
    expect(code).toBe(130)
    expect(written.match(/Cancelled/g)).toHaveLength(1)
    expect(written.match(/✗ cancelled/g)).toHaveLength(1)
    for (const [on, off] of [
      ['?2004l', '?2004h'],
      ['?25h', '?25l'],
    ] as const)
      expect(written.lastIndexOf(`\u001B[${on}`)).toBeGreaterThan(
        written.lastIndexOf(`\u001B[${off}`),
      )
  },
)

test('the same form is answered when nobody leaves it', async () => {
  const { code } = await visit(folder, ['call', 'tool'], STEPS)
  expect(code).toBe(0)
  const { tool } = JSON.parse(await readFile(join(folder, 'told'), 'utf8'))
  expect(tool.answers.q).toEqual({ harbour: 'east', berth: 3, covered: true, side: 'port' })
})
