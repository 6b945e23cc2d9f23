import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { booleanQuestion, selectQuestion, textQuestion } from '@toolblocks/protocol'
import { seat } from './person/at-terminal.support.ts'
import { keys } from './person/keys.support.ts'
import { accepted } from './person/put-questions.support.ts'

vi.setConfig({ testTimeout: 20_000 })

const everyKind = [
  { id: 'yes-no', schema: { type: 'boolean' } },
  { id: 'select', schema: { enum: ['x', 'y'] } },
  { id: 'multi-select', schema: { type: 'array', items: { enum: ['x', 'y'] } } },
  { id: 'text', schema: { type: 'string' } },
  { id: 'number', schema: { type: 'integer' } },
  { id: 'form', schema: { type: 'object', properties: { only: { type: 'string' } } } },
].map(({ id, schema }) => ({ request: { id, text: `The ${id}?`, schema } }))

test.concurrent.for([
  ['Ctrl-C cancels', keys.interrupt, 'user'],
  ['the end of input cancels', keys.endOfInput, 'end-of-input'],
  ['Ctrl-C directly after Esc cancels', keys.escape + keys.interrupt, 'user'],
  ['the end of input directly after Esc cancels', keys.escape + keys.endOfInput, 'end-of-input'],
] as const)('%s at every kind of prompt, and the terminal is restored', async ([, key, reason]) => {
  const person = seat(everyKind)
  for (const { request } of everyKind) {
    await person.sees(request.id === 'form' ? '◆  only (1 of 1)' : `◆  ${request.text}`)
    person.types(key)
  }
  const { answers, written } = await person.leaves()
  expect(answers).toEqual(everyKind.map(() => ({ action: 'cancel', reason, raw: false })))
  expect(written.lastIndexOf('\u001B[?25h')).toBeGreaterThan(written.lastIndexOf('\u001B[?25l'))
})

const label = ({ id, text }: { id: string; text: string }): string =>
  id === 'form' ? '◆  only (1 of 1)' : `◆  ${text}`

const DISCARDED = 'What was typed before this question was discarded.'

test.concurrent.for(everyKind)(
  'what was typed before the question is discarded, and the person is told: $request.id',
  async (put) => {
    const person = seat([put])
    // The terminal keeps it for whoever reads next.
    person.types('ls -y\r', 'y\r')
    const screen = await person.sees(label(put.request))
    expect(screen).toContain(DISCARDED)
    expect(screen).not.toContain('█')
    person.types(keys.interrupt)
    const { answers } = await person.leaves()
    expect(answers).toEqual([{ action: 'cancel', reason: 'user', raw: false }])
  },
)

test.concurrent.for(everyKind)(
  'a pasted text sends nothing, whatever keys it contains: $request.id',
  async (put) => {
    const person = seat([put])
    await person.sees(label(put.request))
    person.types('\u001B[200~x y\r\u001B[B\r y\r\u001B[201~', keys.interrupt)
    const { answers, written } = await person.leaves()
    expect(answers).toEqual([{ action: 'cancel', reason: 'user', raw: false }])
    // Asked of the terminal, which otherwise types a pasted text like a person.
    expect(written).toContain('\u001B[?2004h')
    expect(written.lastIndexOf('\u001B[?2004l')).toBeGreaterThan(
      written.lastIndexOf('\u001B[?2004h'),
    )
  },
)

test.concurrent('Ctrl-Z stops nothing, because the terminal would keep the settings of the prompt', async () => {
  const person = seat([{ request: textQuestion({ id: 'a', text: 'Which one?' }) }])
  await person.sees('◆  Which one?')
  person.types(keys.stop, 'x')
  await person.sees('│  x█')
  person.types(keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted('x')])
  expect(written).not.toContain('STOPPED')
})

// Not concurrent: a program that starts later inherits the terminal's other side and would keep it open.
test('a terminal that hangs up is the end of input', async () => {
  const person = seat([{ request: textQuestion({ id: 'a', text: 'Still there?' }) }])
  await person.sees('◆  Still there?')
  person.types('half a tho')
  person.hangsUp()
  const { answers } = await person.leaves()
  expect(answers).toEqual([{ action: 'cancel', reason: 'end-of-input', raw: false }])
})

test.concurrent('an abort closes the prompt, and later questions are not asked', async () => {
  const person = seat([
    { request: textQuestion({ id: 'a', text: 'Before?' }) },
    { request: textQuestion({ id: 'b', text: 'After?' }) },
  ])
  await person.sees('◆  Before?')
  person.signals('SIGUSR2')
  const { answers, written } = await person.leaves()
  const aborted = { action: 'cancel', reason: 'aborted', raw: false }
  expect(answers).toEqual([aborted, aborted])
  expect(written).not.toContain('After?')
  expect(written.lastIndexOf('\u001B[?25h')).toBeGreaterThan(written.lastIndexOf('\u001B[?25l'))
})

test.concurrent('a prompt survives resizing, and a long list scrolls in a small window', async () => {
  const options = Array.from({ length: 60 }, (_, index) => `option-${index}`)
  const person = seat([{ request: selectQuestion({ id: 'a', text: 'Which one?', options }) }])
  const screen = await person.sees('○ option-0')
  expect(screen).toContain('Which one?')
  person.types(keys.down)
  await person.sees('● option-0')
  person.resizes(40, 12)
  person.types(keys.down)
  await person.sees('● option-1\n')
  person.types(...Array<string>(40).fill(keys.down))
  const small = await person.sees('● option-41')
  expect(small).toContain('Which one?')
  person.resizes(80, 24)
  person.types(keys.up)
  await person.sees('● option-40')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted('option-40')])
})

test.concurrent('a secret is never written to the terminal, also not in its problem', async () => {
  const schema = { type: 'string', format: 'password', minLength: 8 }
  const person = seat([{ request: { id: 'a', text: 'Unlock with?', schema } }])
  await person.sees('◆  Unlock with?')
  person.types('hunter2', keys.enter)
  await person.sees(/▪{7}\n└ {2}expected at least 8 characters/)
  person.types('2', keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted('hunter22')])
  expect(written).not.toContain('hunter')
})

test.concurrent('a question that no prompt can ask is answered in the editor, and so is a form if the host wants that', async () => {
  const list = { type: 'array', items: { type: 'object' } }
  const form = { type: 'object', properties: { x: { type: 'integer' } } }
  const questions = [
    { request: { id: 'a', text: 'Which rows?', schema: list } },
    { request: { id: 'b', text: 'Which x?', schema: form, default: { x: 1 } } },
    { request: { id: 'c', text: 'No more?', schema: list } },
  ]
  const editor = `sed -i -e 's/"x": 1/"x": 2/' -e 's/^\\[$/[{"n": 1},/'`
  const person = seat(questions, { forms: 'edit', editor })
  await person.sees(/Which rows\?\n│ {2}● Answer in the editor/)
  person.types(keys.enter)
  await person.sees(/Which x\?\n│ {2}● Answer in the editor/)
  person.types(keys.enter)
  await person.sees(/No more\?\n│ {2}● Answer in the editor/)
  person.types(keys.down, keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toMatchObject([
    { action: 'accept', value: [{ n: 1 }] },
    { action: 'accept', value: { x: 2 } },
    { action: 'decline' },
  ])
})

test('without a terminal no person is asked, and nothing is written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-nobody-'))
  const [questions, answers] = [join(folder, 'questions.json'), join(folder, 'answers.json')]
  const request = booleanQuestion({ id: 'a', text: 'Apply?' })
  await writeFile(questions, JSON.stringify([{ request }]))
  const program = join(import.meta.dirname, 'person/asking.support.ts')
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    program,
    questions,
    answers,
  ])
  expect(stdout + stderr).toBe('')
  const recorded: unknown = JSON.parse(await readFile(answers, 'utf8'))
  expect(recorded).toEqual([{ action: 'cancel', reason: 'nobody', raw: false }])
  await rm(folder, { recursive: true })
})
