import { expect, test } from 'vitest'
import { decodeEvent, openEvent } from './decode-event.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => decodeEvent(openEvent(bytes))
const turn = '{"type":"turn_start","turn":1,"note":"x"}'

test('what was written is read', () => {
  const event = { type: 'turn_start', turn: 1, note: 'x' }
  expect(decode(bytesOf(turn))).toEqual({ ok: true, event })
})

test('an event of a newer version is handed on as it is', () => {
  const value = { type: 'weather', degrees: 20 }
  expect(decode(bytesOf(JSON.stringify(value)))).toEqual({
    ok: true,
    event: { type: 'unknown', value },
  })
})

test.for([
  [
    { outcome: 'answered', value: null },
    { action: 'accept', value: null },
  ],
  [{ outcome: 'redacted' }, { action: 'accept', redacted: true }],
  [
    { outcome: 'declined', note: 'kept' },
    { action: 'decline', note: 'kept' },
  ],
  [
    { outcome: 'cancelled', reason: 'nobody' },
    { action: 'cancel', reason: 'nobody' },
  ],
  [
    { outcome: 'cancelled', reason: 'timeout' },
    { action: 'cancel', reason: 'expired' },
  ],
])('an answer that an earlier version wrote as %j reads as %j', ([older, today]) => {
  const ids = { type: 'answer', id: 'c.q.1', callId: 'c' }
  expect(decode(bytesOf(JSON.stringify({ ...ids, ...older })))).toEqual({
    ok: true,
    event: { ...ids, ...today },
  })
})

test.for<[string, Uint8Array, string]>([
  ['no JSON', bytesOf('{"type":'), 'the bytes are no UTF-8 JSON'],
  [
    'bad UTF-8 within a text',
    bytesOf(turn).map((byte) => (byte === 0x78 ? 0xff : byte)),
    'the bytes are no UTF-8 JSON',
  ],
  ['a byte order mark, which no event begins with', bytesOf(`\uFEFF${turn}`), 'no UTF-8 JSON'],
  ['no object', bytesOf('[1]'), 'the event has no type'],
  ['an inherited type', bytesOf('{"__proto__":{"type":"turn_start"}}'), 'the event has no type'],
  ['a known event without its fields', bytesOf('{"type":"turn_start"}'), 'no turn_start'],
  [
    'a known event with fields of another kind',
    bytesOf('{"type":"tool_call","call":{"id":1}}'),
    'the event is no tool_call',
  ],
])('%s is damaged, and that is said', ([, bytes, message]) => {
  expect(decode(bytes)).toMatchObject({
    ok: false,
    problem: { code: 'damaged-event', message: expect.stringContaining(message) },
  })
})
