import { PassThrough } from 'node:stream'
import type { Answer, TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { chooseAtTerminal, confirmAtTerminal } from './ask-for-host.ts'

const material = 'rm -r build' as TerminalText
const question = 'Run it?' as TerminalText
const choices = [
  { value: 'no', label: 'No' as TerminalText },
  { value: 'once', label: 'Once' as TerminalText },
  { value: 'always', label: 'Always' as TerminalText },
] as const

/** Streams as a terminal has them: what is typed is there, what is shown is kept. */
function terminal({ keyboard = true, screen = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY: keyboard, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: screen, columns: 0, rows: 0 })
  let shown = ''
  let seen = (): void => undefined
  output.on('data', (data: Buffer) => {
    shown += data.toString('utf8')
    seen()
  })
  return {
    input: input as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    shown: () => shown,
    types: async (keys: string, after: string): Promise<void> => {
      await new Promise<void>((resolve) => {
        seen = () => {
          if (shown.includes(after)) resolve()
        }
        seen()
      })
      input.write(keys)
    },
  }
}

const signal = new AbortController().signal
const DOWN = '\u001B[B'
const ENTER = '\r'
const INTERRUPT = '\u0003'

test.for<[string, Answer]>([
  [ENTER, { action: 'accept', value: 'once' }],
  [DOWN + ENTER, { action: 'accept', value: 'always' }],
  [DOWN + DOWN + ENTER, { action: 'accept', value: 'no' }],
  [INTERRUPT, { action: 'cancel', reason: 'user' }],
])('a person chooses for a host, from what is preselected: %j', async ([keys, answer]) => {
  const { input, output, shown, types } = terminal()
  const asked = chooseAtTerminal({
    material,
    question,
    choices,
    initial: 'once',
    signal,
    input,
    output,
  })
  await types(keys, '● Once')
  expect(await asked).toEqual(answer)
  expect(shown().startsWith('rm -r build\n')).toBe(true)
  expect(shown()).toContain('Run it?')
})

test.for<[string, Answer]>([
  [ENTER, { action: 'accept', value: false }],
  ['y', { action: 'accept', value: true }],
])('a person confirms, and no is preselected: %j', async ([keys, answer]) => {
  const { input, output, types } = terminal()
  const asked = confirmAtTerminal({ material, question, signal, input, output })
  await types(keys, '● No')
  expect(await asked).toEqual(answer)
})

test('a host is told of Ctrl-C, which is no signal while keys are read', async () => {
  const { input, output, types } = terminal()
  let interrupts = 0
  const onInterrupt = (): void => void (interrupts += 1)
  const asked = confirmAtTerminal({ material, question, signal, onInterrupt, input, output })
  await types(INTERRUPT, '● No')
  expect(await asked).toMatchObject({ action: 'cancel' })
  expect(interrupts).toBe(1)
})

test.for([
  ['keyboard', { keyboard: false }],
  ['screen', { screen: false }],
] as const)('without a %s nobody is asked, and nothing is shown', async ([, parts]) => {
  const { input, output, shown } = terminal(parts)
  expect(await confirmAtTerminal({ material, question, signal, input, output })).toEqual({
    action: 'cancel',
    reason: 'nobody',
  })
  expect(shown()).toBe('')
})
