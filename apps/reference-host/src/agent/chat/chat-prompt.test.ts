import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createChatPrompt } from './chat-prompt.ts'

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const keyboard = { input, output } as never
  const prompt = createChatPrompt(keyboard, { root: '/', signal: ending.signal })
  return {
    prompt,
    type: (text: string) => void input.write(text),
    shown: () => String(output.read()),
  }
}

test('a line is one message, and goes on in the next behind a backslash', async () => {
  const { prompt, type } = open()
  const typed = prompt.read()
  type('one\\\r')
  type('two\r')
  expect(await typed).toBe('one\ntwo')
})

test.for([
  ['marked by the terminal', '\u001b[200~one\r\rtwo\\\rthree\u001b[201~'],
  ['not marked', 'one\r\rtwo\\\rthree'],
] as const)(
  'what is pasted with its lines is one message, once Enter is pressed: %s',
  async ([kind, pasted]) => {
    const { prompt, type } = open()
    const typed = prompt.read()
    type(pasted)
    await new Promise(setImmediate)
    type(' and more\r')
    const two = kind === 'not marked' ? 'two' : 'two\\'
    expect(await typed).toBe(`one\n\n${two}\nthree and more`)
  },
)

test('Ctrl-C at an empty prompt leaves; behind a turn that was interrupted it first says so', async () => {
  const one = open()
  const left = one.prompt.read()
  one.type('\u0003')
  expect(await left).toBeUndefined()
  const two = open()
  const stays = two.prompt.read({ wasInterrupted: true })
  two.type('\u0003')
  two.type('hello\r')
  expect(await stays).toBe('hello')
  expect(two.shown()).toContain('Ctrl-C again leaves.')
  const again = two.prompt.read({ wasInterrupted: true })
  two.type('\u0003')
  two.type('\u0003')
  expect(await again).toBeUndefined()
})

test('Ctrl-C where something was typed takes it back', async () => {
  const { prompt, type } = open()
  const typed = prompt.read()
  type('half')
  type('\u0003')
  expect(await typed).toBe('')
})
