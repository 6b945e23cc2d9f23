import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import {
  booleanQuestion,
  selectQuestion,
  textQuestion,
  type ContentBlock,
} from '@toolblocks/protocol'
import { keys, seat } from './person.suite.ts'

vi.setConfig({ testTimeout: 20_000 })

function accepted(value: unknown): unknown {
  return { action: 'accept', value, raw: false }
}

test.concurrent('Esc offers the question again, declining and cancelling', async () => {
  const person = seat([
    { request: textQuestion({ id: 'a', text: 'First?' }) },
    { request: selectQuestion({ id: 'b', text: 'Second?', options: ['x'] }) },
    { request: booleanQuestion({ id: 'c', text: 'Third?', default: false }) },
  ])
  await person.sees('◆  First?')
  person.types(keys.escape)
  await person.sees('● Back to the question')
  person.types(keys.enter)
  await person.sees(/◇ {2}What instead\?[^◆]*◆ {2}First\?/)
  person.types('x', keys.enter)
  await person.sees('◆  Second?')
  person.types(keys.escape)
  await person.sees(/◆ {2}What instead\?/)
  person.types(keys.down, keys.enter)
  await person.sees(/Declined[^]*◆ {2}Third\?/)
  person.types(keys.escape)
  await person.sees(/◆ {2}What instead\?/)
  person.types(keys.up, keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([
    accepted('x'),
    { action: 'decline', raw: false },
    { action: 'cancel', reason: 'user', raw: false },
  ])
})

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
] as const)(
  '%s at every kind of prompt, and the terminal is as before',
  async ([, key, reason]) => {
    const person = seat(everyKind)
    for (const { request } of everyKind) {
      await person.sees(request.id === 'form' ? '◆  only (1 of 1)' : `◆  ${request.text}`)
      person.types(key)
    }
    const { answers, written } = await person.leaves()
    expect(answers).toEqual(everyKind.map(() => ({ action: 'cancel', reason, raw: false })))
    expect(written.lastIndexOf('\u001B[?25h')).toBeGreaterThan(written.lastIndexOf('\u001B[?25l'))
  },
)

test.concurrent('Ctrl-Z stops nothing: the terminal would be left as prompts have it', async () => {
  const person = seat([{ request: textQuestion({ id: 'a', text: 'Which one?' }) }])
  await person.sees('◆  Which one?')
  person.types(keys.stop, 'x')
  await person.sees('│  x█')
  person.types(keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted('x')])
  expect(written).not.toContain('STOPPED')
})

test.concurrent('a terminal that hangs up is the end of input', async () => {
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
  const screen = await person.sees('● option-0')
  expect(screen).toContain('Which one?')
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

test.concurrent('every block is shown once: the new ones before the question, and those behind the last one, too', async () => {
  const text = (words: string): ContentBlock => ({ type: 'text', text: words })
  const person = seat([
    {
      request: booleanQuestion({ id: 'a', text: 'Apply?\u001B[2J\nReally?', default: false }),
      blocks: [text('SEEN BEFORE'), text('THE DIFF')],
      shown: 1,
      after: [text('THE END')],
      problems: [{ path: '', message: 'the last answer was odd' }],
    },
  ])
  const screen = await person.sees('◆  Apply?')
  expect(screen).toMatch(
    /^THE DIFF\nTHE END\nApply\?\?\[2J\nReally\?\n┌ {2}edit_file asks.*\n│\n▲ {2}the last answer was odd\n/,
  )
  expect(screen).toContain('◆  Apply?\\u{1B}[2J …')
  person.types('y')
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted(true)])
  expect(written).not.toContain('SEEN BEFORE')
})

const visit = { id: 'a', text: 'Connect your account', schema: true } as const

test.concurrent('an address is shown in full and never opened; one that hides its host is declined unasked', async () => {
  const source = { kind: 'elicitation', server: 'books' } as const
  const person = seat([
    { request: { ...visit, url: 'https://bücher.example/a?b=1' }, source },
    { request: { ...visit, url: 'https://bank.example@evil.example/' }, source },
    { request: { ...visit, url: 'http://evil.example/' }, source },
    { request: { ...visit, url: 'http://localhost:8080/' }, source },
  ])
  const screen = await person.sees('◆  Do you want to visit this page?')
  expect(screen).toContain('Server books asks')
  expect(screen).toContain('Host: xn--bcher-kva.example')
  expect(screen).toContain('https://xn--bcher-kva.example/a?b=1')
  person.types('y')
  const second = await person.sees(/Not encrypted[^]*◆/)
  expect(second).not.toContain('https://bank.example')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  const declined = { action: 'decline', raw: false }
  expect(answers).toEqual([accepted(true), declined, declined, declined])
})

test.concurrent('a server that asks for a secret in a form is declined unasked', async () => {
  const schema = { type: 'object', properties: { api_key: { type: 'string' } } }
  const person = seat([
    { request: { id: 'a', text: 'Sign in', schema }, source: { kind: 'elicitation', server: 'x' } },
  ])
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([{ action: 'decline', raw: false }])
  expect(written).toContain('asks for a secret')
})

test.concurrent('what no prompt can ask for is answered in the editor, and so is a form where that is wanted', async () => {
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

test.concurrent('without an editor such a question is nobody’s, and the person is told', async () => {
  const person = seat([{ request: { id: 'a', text: 'Which rows?', schema: true } }])
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([{ action: 'cancel', reason: 'nobody', raw: false }])
  expect(written).toContain('needs an editor')
})

test('without a terminal nobody is asked, and nothing is written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-nobody-'))
  const [questions, answers] = [join(folder, 'questions.json'), join(folder, 'answers.json')]
  const request = booleanQuestion({ id: 'a', text: 'Apply?' })
  await writeFile(questions, JSON.stringify([{ request }]))
  const program = join(import.meta.dirname, 'asking.suite.ts')
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    program,
    questions,
    answers,
  ])
  expect(stdout + stderr).toBe('')
  const given: unknown = JSON.parse(await readFile(answers, 'utf8'))
  expect(given).toEqual([{ action: 'cancel', reason: 'nobody', raw: false }])
  await rm(folder, { recursive: true })
})
