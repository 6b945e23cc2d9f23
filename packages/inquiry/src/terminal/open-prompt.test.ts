import { booleanQuestion, selectQuestion, textQuestion } from '@toolblocks/protocol'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPrompt, sizedOutput } from './open-prompt.ts'
import { type NearPerson, seatNear } from './person/at-streams.support.ts'
import { createKeyboard as keyboard } from './person/create-keyboard.support.ts'
import { keys } from './person/keys.support.ts'
import { accepted } from './person/put-questions.support.ts'
import { CANCELLED } from './prompts.ts'

const text = (id: string) => ({ request: textQuestion({ id, text: `${id}?` }) })

const everyKind = [
  { id: 'yes-no', schema: { type: 'boolean' } },
  { id: 'select', schema: { enum: ['x', 'y'] } },
  { id: 'multi-select', schema: { type: 'array', items: { enum: ['x', 'y'] } } },
  { id: 'text', schema: { type: 'string' } },
  { id: 'secret', schema: { type: 'string', format: 'password' } },
  { id: 'lines', schema: { type: 'array', items: { type: 'string' } } },
].map(({ id, schema }) => ({ request: { id, text: `${id}?`, schema } }))

test.for(everyKind)(
  'Enter answers nothing in the moment in which the question appears: $request.id',
  async (put) => {
    const person = seatNear([put], { reads: 'not' })
    await person.sees(`◆  ${put.request.text}`)
    person.types(keys.enter, keys.interrupt)
    const { answers } = await person.leaves()
    expect(answers).toEqual([{ action: 'cancel', reason: 'user', raw: false }])
  },
)

test.for([
  ['Ctrl-C', keys.interrupt, 'user', 1],
  ['the end of input, as it is typed,', keys.endOfInput, 'end-of-input', 0],
] as const)(
  '%s cancels every kind of prompt, and the terminal is restored',
  async ([, key, reason, interruptCount]) => {
    for (const put of everyKind) {
      const person = seatNear([put])
      await person.sees(`◆  ${put.request.text}`)
      person.types(key)
      const { answers, written } = await person.leaves()
      expect(answers).toEqual([{ action: 'cancel', reason, raw: false }])
      expect(person.interrupts()).toBe(interruptCount)
      expect(written.lastIndexOf('\u001B[?25h')).toBeGreaterThan(written.lastIndexOf('\u001B[?25l'))
    }
  },
)

test.for(['ends', 'closes', 'breaks'] as const)(
  'an input that %s is the end of input, also for later questions',
  async (how) => {
    const person = seatNear([text('First'), text('Second')])
    await person.sees('◆  First?')
    person.goes(how)
    const { answers, screen } = await person.leaves()
    const over = { action: 'cancel', reason: 'end-of-input', raw: false }
    expect(answers).toEqual([over, over])
    expect(screen).toMatch(/■ {2}First\?/)
    expect(screen).not.toContain('Second?')
  },
)

test('an abort closes the prompt, marked as left, and later questions are not asked', async () => {
  const person = seatNear([text('First'), text('Second')])
  await person.sees('◆  First?')
  person.types('half')
  await person.sees('half█')
  person.aborts()
  const { answers, screen } = await person.leaves()
  const aborted = { action: 'cancel', reason: 'aborted', raw: false }
  expect(answers).toEqual([aborted, aborted])
  expect(screen).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  First?
    │  half
    │
    └  Cancelled: the call was stopped"
  `)
})

test('in a narrow terminal, why a question was cancelled is wrapped between words', async () => {
  const person = seatNear([text('First')])
  person.resizes(20, 24)
  await person.sees('◆  First?')
  person.aborts()
  const { screen } = await person.leaves()
  expect(screen).toMatch(/└ {2}Cancelled: the\n {3}call was stopped$/)
})

test('Ctrl-Z does nothing, and pasted eight-bit controls are removed', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  onTestFinished(() => kill.mockRestore())
  const person = seatNear([text('Which')])
  await person.sees('◆  Which?')
  person.types(keys.stop, 'a\u0080\u009B2Jb\u009F\u00A0')
  await person.sees(/│ {2}a2Jb\u00A0█\n└/)
  person.types(keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted('a2Jb\u00A0')])
  expect(kill).not.toHaveBeenCalled()
  expect(written).not.toMatch(/[\u0080-\u009F]/)
})

test('the prompt handles other control keys: Ctrl-A goes to the beginning of the line', async () => {
  const person = seatNear([text('Which')])
  await person.sees('◆  Which?')
  person.types('zbc', '\u0001', 'a')
  await person.sees('azbc')
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted('azbc')])
})

test('a terminal that decodes its input itself is supported', async () => {
  const io = keyboard(signal)
  io.input.setEncoding('utf8')
  const end = await openPrompt(io, {
    show: async ({ input }) =>
      await new Promise<string>((resolve) => {
        input.once('keypress', resolve)
        setImmediate(() => (io.input as unknown as PassThrough).write('ü'))
      }),
  })
  expect(end).toEqual({ kind: 'value', value: 'ü' })
})

test('a letter that arrives in two pieces is one letter', async () => {
  const person = seatNear([text('Which')])
  await person.sees('◆  Which?')
  const [first = 0, second = 0] = Buffer.from('ü')
  person.types(Buffer.from([first]), Buffer.from([second]), keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted('ü')])
})

const { signal } = new AbortController()

const MARK_PASTED = '\u001B[?2004h'

const RESTORED = '\u001B[?2004l\u001B[?25h'

test('while a prompt is open keys are read one by one, and afterwards the input is restored', async () => {
  const io = keyboard(signal)
  const listeners = process.listenerCount('exit')
  const seen: unknown[] = []
  const end = await openPrompt(io, {
    show: async ({ input }) => {
      seen.push(io.raw.at(-1), io.input.isPaused(), process.listenerCount('exit') - listeners)
      expect(input).not.toBe(io.input)
      return 'an answer'
    },
  })
  expect(end).toEqual({ kind: 'value', value: 'an answer' })
  expect(seen).toEqual([true, false, 1])
  expect(io.raw).toEqual([true, false])
  expect(io.written).toEqual([MARK_PASTED, RESTORED])
  expect(io.input.isPaused()).toBe(true)
  expect(process.listenerCount('exit')).toBe(listeners)
  expect(['data', 'end', 'close', 'error'].map((name) => io.input.listenerCount(name))).toEqual(
    ['data', 'end', 'close', 'error'].map((name) => new PassThrough().listenerCount(name)),
  )
})

test.for(['end', 'close', 'error'])(
  'the end of an input that only "%s" reports closes the prompt like Ctrl-C',
  async (name) => {
    const io = keyboard(signal)
    const keysSeen: string[] = []
    const end = await openPrompt(io, {
      show: async ({ input }) =>
        await new Promise((resolve) => {
          input.once('keypress', (typed: string) => {
            keysSeen.push(typed)
            resolve(CANCELLED)
          })
          io.input.emit(name, new Error('it broke'))
        }),
    })
    expect(end).toEqual({ kind: 'cancel', reason: 'end-of-input' })
    expect(keysSeen).toEqual([keys.interrupt])
  },
)

test('if showing fails, the terminal is restored', async () => {
  const io = keyboard(signal)
  const show = async (): Promise<never> => Promise.reject(new Error('no room'))
  await expect(openPrompt(io, { show })).rejects.toThrow('no room')
  expect([io.raw, io.written]).toEqual([
    [true, false],
    [MARK_PASTED, RESTORED],
  ])
})

test('if the library closes a prompt by itself, the person has cancelled it', async () => {
  expect(await openPrompt(keyboard(signal), { show: async () => CANCELLED })).toEqual({
    kind: 'cancel',
    reason: 'user',
  })
})

test.for<[string, (io: ReturnType<typeof keyboard>) => ReturnType<typeof keyboard>, string]>([
  ['after an abort', (io) => ({ ...io, signal: AbortSignal.abort() }), 'aborted'],
  ['once the input is closed', (io) => ({ ...io, input: io.input.destroy() }), 'end-of-input'],
])('%s nothing is shown', async ([, change, reason]) => {
  const io = keyboard(signal)
  let showCount = 0
  const end = await openPrompt(change(io), { show: async () => (showCount += 1) })
  expect(end).toEqual({ kind: 'cancel', reason })
  expect([showCount, io.raw, io.written]).toEqual([0, [], []])
})

test('after the end of input nothing is shown', async () => {
  const io = keyboard(signal)
  const ended = new Promise((resolve) => io.input.once('end', resolve))
  Object.assign(io.input, { autoDestroy: false })
  ;(io.input as unknown as PassThrough).end()
  io.input.resume()
  await ended
  let showCount = 0
  const end = await openPrompt(io, { show: async () => (showCount += 1) })
  expect([end, showCount]).toEqual([{ kind: 'cancel', reason: 'end-of-input' }, 0])
})

/** A stream with the members of a terminal that the code reads. */
function getTerminal(size: { columns?: number; rows?: number }): NodeJS.WriteStream {
  return Object.assign(new PassThrough(), { isTTY: true, ...size }) as unknown as NodeJS.WriteStream
}

test('a terminal with a size keeps it', () => {
  const { columns, rows } = sizedOutput(getTerminal({ columns: 132, rows: 50 }))
  expect([columns, rows]).toEqual([132, 50])
})

test.for([{}, { columns: 0, rows: 0 }])('a terminal without a size is 80 by 24: %j', (size) => {
  const { columns, rows } = sizedOutput(getTerminal(size))
  expect([columns, rows]).toEqual([80, 24])
})

test('a changed size is used from then on', () => {
  const terminal = getTerminal({ columns: 80, rows: 24 })
  const sized = sizedOutput(terminal)
  Object.assign(terminal, { columns: 40, rows: 10 })
  expect([sized.columns, sized.rows]).toEqual([40, 10])
})

test('everything else comes from the terminal', () => {
  const terminal = getTerminal({})
  const sized = sizedOutput(terminal)
  expect(sized.isTTY).toBe(true)
  sized.write('shown')
  expect(String(terminal.read())).toBe('shown')
  const { write } = sized
  write('again')
  expect(String(terminal.read())).toBe('again')
})

/** A person who pressed Esc at the only question. */
async function seatAtMenu(): Promise<NearPerson> {
  const person = seatNear([{ request: textQuestion({ id: 'a', text: 'First?' }) }])
  await person.sees('◆  First?')
  person.types(keys.escape)
  await person.sees('● Back to the question')
  return person
}

test('Esc offers the question again, declining and cancelling', async () => {
  const person = seatNear([
    { request: textQuestion({ id: 'a', text: 'First?' }) },
    { request: selectQuestion({ id: 'b', text: 'Second?', options: ['x'] }) },
    { request: booleanQuestion({ id: 'c', text: 'Third?', default: false }) },
  ])
  await person.sees('◆  First?')
  person.types(keys.escape)
  expect(await person.sees('● Back to the question')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  First?
    │
    │
    ◆  What do you want to do?
    │  ● Back to the question
    │  ○ Decline
    │  ○ Cancel
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  await person.sees(/◇ {2}What do you want to do\?[^◆]*◆ {2}First\?/)
  person.types('x', keys.enter)
  await person.sees('◆  Second?')
  person.types(keys.escape)
  await person.sees(/◆ {2}What do you want to do\?/)
  person.types(keys.down)
  expect(await person.sees('● Decline')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  First?
    │
    │
    ◇  What do you want to do?
    │  Back to the question
    │
    ◇  First?
    │  x
    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Second?
    │
    │
    ◆  What do you want to do?
    │  ○ Back to the question
    │  ● Decline (continue without an answer)
    │  ○ Cancel
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  await person.sees(/Declined[^]*◆ {2}Third\?/)
  person.types(keys.escape)
  await person.sees(/◆ {2}What do you want to do\?/)
  person.types(keys.up)
  expect(await person.sees('● Cancel')).toMatchInlineSnapshot(`
    "│
    ◇  First?
    │  x
    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Second?
    │
    │
    ◇  What do you want to do?
    │  Decline
    └  Declined

    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Third?
    │
    │
    ◆  What do you want to do?
    │  ○ Back to the question
    │  ○ Decline
    │  ● Cancel (stop asking)
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  const { answers, screen } = await person.leaves()
  expect(answers).toEqual([
    accepted('x'),
    { action: 'decline', raw: false },
    { action: 'cancel', reason: 'user', raw: false },
  ])
  expect(screen).toMatchInlineSnapshot(`
    "│
    ◇  First?
    │  x
    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Second?
    │
    │
    ◇  What do you want to do?
    │  Decline
    └  Declined

    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Third?
    │
    │
    ◇  What do you want to do?
    │  Cancel
    └  Cancelled"
  `)
})

test('Esc there goes back to the question, marked as left', async () => {
  const person = await seatAtMenu()
  person.types(keys.escape)
  expect(await person.sees(/What do you want to do\?[^◆]*◆ {2}First\?/)).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  First?
    │
    │
    ■  What do you want to do?
    │
    │
    ◆  First?
    │  _
    └"
  `)
  person.types('x', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted('x')])
})

test.for([
  [keys.interrupt, 'user', 1],
  [keys.endOfInput, 'end-of-input', 0],
] as const)('%j there cancels: %s', async ([key, reason, interrupts]) => {
  const person = await seatAtMenu()
  person.types(key)
  expect((await person.leaves()).answers).toEqual([{ action: 'cancel', reason, raw: false }])
  expect(person.interrupts()).toBe(interrupts)
})

test('an abort there cancels', async () => {
  const person = await seatAtMenu()
  person.aborts()
  expect((await person.leaves()).answers).toEqual([
    { action: 'cancel', reason: 'aborted', raw: false },
  ])
})
