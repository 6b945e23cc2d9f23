import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createInterrupts } from './interrupts.ts'

function open() {
  const host = new EventEmitter()
  const seen: string[] = []
  host.on('SIGINT', () => seen.push('program'))
  const interrupts = createInterrupts(new AbortController().signal, {
    onSignal: () => seen.push('line'),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is used of it
    host: host as never,
  })
  return { interrupts, seen, press: () => void host.emit('SIGINT') }
}

test('the first Ctrl-C ends the running calls, the next ends the turn', () => {
  const { interrupts, press } = open()
  const { signal, callCancellation } = interrupts.begin()
  const calls = callCancellation.begin()
  press()
  expect([calls.aborted, signal.aborted]).toEqual([true, false])
  press()
  expect(signal.aborted).toBe(true)
})

test('without running calls, Ctrl-C ends the turn at once', () => {
  const before = open()
  const none = before.interrupts.begin()
  before.press()
  expect(none.signal.aborted).toBe(true)
  const { interrupts, press } = open()
  const { signal, callCancellation } = interrupts.begin()
  const calls = callCancellation.begin()
  callCancellation.end()
  press()
  expect([calls.aborted, signal.aborted]).toEqual([false, true])
  expect(interrupts.end()).toEqual({ wasPressed: true })
})

test('output on the line of the cursor ends before the line does', () => {
  const { interrupts, press, seen } = open()
  interrupts.begin().signal.addEventListener('abort', () => seen.push('drawing'))
  press()
  interrupts.end()
  press()
  expect(seen).toEqual(['drawing', 'line', 'program'])
})
