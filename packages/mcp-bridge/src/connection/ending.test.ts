import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { end, type Ending, signalOf, withSignal } from './ending.ts'

const start = (): Ending => ({
  hasEnded: false,
  reason: undefined,
  listeners: new Set(),
  controller: undefined,
})

test('an end tells its listeners and its signal once, with the first reason', () => {
  const ending = start()
  let told = 0
  ending.listeners.add(() => (told += 1))
  const signal = signalOf(ending)
  end(ending, 'first')
  end(ending, 'second')
  expect([told, signal.aborted, signal.reason]).toEqual([1, true, 'first'])
})

test('a signal that is asked for after the end has aborted with its reason', () => {
  const ending = start()
  end(ending, 'why')
  const { aborted, reason } = signalOf(ending)
  expect([aborted, reason]).toEqual([true, 'why'])
})

test('there is one signal, and none before somebody asks for it', () => {
  const ending = start()
  expect(ending.controller).toBeUndefined()
  expect(signalOf(ending)).toBe(signalOf(ending))
})

test('a signal ends the requests that it was given for, and is left alone afterwards', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const seen = await withSignal(signal, async (ending) => {
    controller.abort('why')
    return [ending.hasEnded, ending.reason]
  })
  expect(seen).toEqual([true, 'why'])
  expect(await withSignal(signal, async ({ hasEnded }) => hasEnded)).toBe(true)
  const other = new AbortController()
  await withSignal(other.signal, async () => undefined)
  expect(getEventListeners(other.signal, 'abort')).toEqual([])
})
