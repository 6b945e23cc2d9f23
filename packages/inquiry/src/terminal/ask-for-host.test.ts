import { PassThrough } from 'node:stream'
import type { TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { setTimeout as wait } from 'node:timers/promises'
import { MIN_READING_MS } from './read-keys.ts'
import { createScreen } from './person/screen.support.ts'
import { chooseAtTerminal, confirmAtTerminal } from './ask-for-host.ts'

const material = 'rm -r build' as TerminalText
const question = 'Run it?' as TerminalText
const choices = [
  { value: 'no', label: 'No' as TerminalText },
  { value: 'once', label: 'Once' as TerminalText },
  { value: 'always', label: 'Always' as TerminalText },
] as const

/** Streams like those of a terminal. They provide the input and record the output. */
function terminal({ keyboard = true, isScreen = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY: keyboard, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: isScreen, columns: 0, rows: 0 })
  const screen = createScreen('LF')
  output.on('data', (data: Buffer) => screen.write(data.toString('utf8')))
  return {
    input: input as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    screen,
    types: async (keys: string, after: string): Promise<string> => {
      const seen = await screen.sees(after)
      // A timer may end a part of a millisecond early.
      await wait(MIN_READING_MS + 1)
      input.write(keys)
      return seen.trimEnd()
    },
  }
}

const signal = new AbortController().signal
const DOWN = '\u001B[B'
const ENTER = '\r'
const INTERRUPT = '\u0003'

test.for<[string, string | undefined]>([
  [ENTER, 'once'],
  [DOWN + ENTER, 'always'],
  [DOWN + DOWN + ENTER, 'no'],
  [`al${ENTER}`, 'always'],
  [INTERRUPT, undefined],
])(
  'a person chooses for a host, starting from the preselected value: %j',
  async ([keys, answer]) => {
    const { input, output, types } = terminal()
    const asked = chooseAtTerminal({
      material,
      question,
      choices,
      initial: 'once',
      signal,
      input,
      output,
    })
    expect(await types(keys, '● Once')).toBe(
      [
        'rm -r build',
        '│',
        '◆  Run it?',
        '│  ○ No',
        '│  ● Once',
        '│  ○ Always',
        '│  ↑/↓ to navigate • Enter: confirm',
        '└',
      ].join('\n'),
    )
    expect(await asked).toEqual(answer && { value: answer })
  },
)

test.for<[string, boolean | undefined]>([
  [ENTER, false],
  [`y${ENTER}`, true],
  [INTERRUPT, undefined],
])('a person confirms, and "no" is preselected: %j', async ([keys, answer]) => {
  const { input, output, types } = terminal()
  const asked = confirmAtTerminal({ material, question, signal, input, output })
  expect(await types(keys, '● No')).toBe(
    ['rm -r build', '│', '◆  Run it?', '│  ○ Yes / ● No', '└'].join('\n'),
  )
  expect(await asked).toBe(answer)
})

test.for([
  [confirmAtTerminal, '● No', false],
  [chooseAtTerminal, '● Once', { value: 'once' }],
] as const)('declining at Esc returns the harmless value: %o', async ([ask, label, result]) => {
  const { input, output, types } = terminal()
  const asked = ask({ material, question, choices, initial: 'once', signal, input, output })
  await types('\u001B', label)
  await types(DOWN + ENTER, 'What do you want to do?')
  expect(await asked).toEqual(result)
})

test('a host is notified of Ctrl-C, which raises no signal while keys are read', async () => {
  const { input, output, types } = terminal()
  let interrupts = 0
  const onInterrupt = (): void => void (interrupts += 1)
  const asked = confirmAtTerminal({ material, question, signal, onInterrupt, input, output })
  await types(INTERRUPT, '● No')
  expect(await asked).toBeUndefined()
  expect(interrupts).toBe(1)
})

test.for([
  ['keyboard', { keyboard: false }],
  ['screen', { isScreen: false }],
] as const)('without a %s no person is asked, and nothing is shown', async ([, parts]) => {
  const { input, output, screen } = terminal(parts)
  expect(await confirmAtTerminal({ material, question, signal, input, output })).toBeUndefined()
  expect(screen.written()).toBe('')
})

test('if the preselected choice does not exist, nothing is preselected', async () => {
  const { input, output, types } = terminal()
  const asked = chooseAtTerminal({
    material,
    question,
    choices,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an untyped host
    initial: 'later' as 'no',
    signal,
    input,
    output,
  })
  await types(ENTER, '○ No')
  await types(`n${ENTER}`, 'Nothing is selected.')
  expect(await asked).toEqual({ value: 'no' })
})

test('after an abort the question is shown, and no answer is awaited', async () => {
  const { input, output } = terminal()
  const asked = confirmAtTerminal({
    material,
    question,
    signal: AbortSignal.abort(),
    input,
    output,
  })
  expect(await asked).toBeUndefined()
})

const LABEL = 'Refuse, with this reason' as TerminalText
const SENTENCE = 'keep the build folder'

test.for<[string, string, unknown]>([
  ['Enter takes the sentence as the reason', ENTER, { value: 'no', reason: SENTENCE }],
  ['Esc and declining ask again', `\u001B`, { value: 'always' }],
  ['"no" asks again', `no${ENTER}`, { value: 'always' }],
  ['Ctrl-C cancels', INTERRUPT, undefined],
])(
  'a sentence that matches no choice is offered as a reason, and then %s',
  async ([, keys, answer]) => {
    const { input, output, types } = terminal()
    const asked = chooseAtTerminal({
      material,
      question,
      choices,
      initial: 'once',
      reasonFor: { value: 'no', label: LABEL },
      signal,
      input,
      output,
    })
    await types(SENTENCE, '● Once')
    await types(ENTER, `Enter: ${LABEL}`)
    expect(await types(keys, 'Is it your reason?')).toContain(`● ${LABEL}`)
    if (keys === '\u001B') await types(DOWN + ENTER, 'What do you want to do?')
    if (answer !== undefined && keys !== ENTER) await types(`al${ENTER}`, '○ No')
    expect(await asked).toEqual(answer)
  },
)
