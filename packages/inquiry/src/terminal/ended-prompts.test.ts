import { getEventListeners } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { openPrompt } from './open-prompt.ts'
import { createKeyboard } from './person/create-keyboard.support.ts'
import { CANCELLED, type Cancelled, type PromptIo } from './prompts.ts'

test.for<[string, (io: PromptIo, end: AbortController) => Promise<string | Cancelled>, string]>([
  ['answered', async () => 'an answer', 'value'],
  ['left', async () => CANCELLED, 'cancel'],
  [
    'aborted, in a library that listens to its signal only,',
    async (io, end) =>
      await new Promise((resolve) => {
        io.signal.addEventListener('abort', () => resolve(CANCELLED))
        end.abort()
      }),
    'cancel',
  ],
  ['failed', async () => await Promise.reject(new Error('no room')), 'no room'],
])(
  'a prompt that was %s leaves no listener behind, and its keyboard is closed',
  async ([, show, outcome]) => {
    const end = new AbortController()
    const io = createKeyboard(end.signal)
    const names = ['data', 'end', 'close', 'error']
    const count = (): readonly number[] => [
      ...names.map((name) => io.input.listenerCount(name)),
      process.listenerCount('exit'),
      getEventListeners(end.signal, 'abort').length,
    ]
    const before = count()
    let own: Readable | undefined
    const prompt = openPrompt(io, {
      show: async (promptIo) => {
        own = promptIo.input
        return await show(promptIo, end)
      },
    })
    expect(
      await prompt.then(
        ({ kind }) => kind,
        ({ message }: Error) => message,
      ),
    ).toBe(outcome)
    expect(count()).toEqual(before)
    expect(own?.destroyed).toBe(true)
  },
)
