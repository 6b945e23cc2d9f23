import { expect, test } from 'vitest'
import { findCookies } from './cookies.ts'

const find = (text: string): readonly string[] =>
  findCookies(text).map(({ start, end }) => text.slice(start, end))

test.for([
  ['Cookie: session=kitefly7lamp99; theme=dark12345', 'kitefly7lamp99'],
  ['Set-Cookie: connect.sid=s%3Akitefly7.lamp99; HttpOnly; Max-Age=3600', 's%3Akitefly7.lamp99'],
  ['curl -H "cookie: lang=de; auth_token=kitefly7lamp99" https://a.example', 'kitefly7lamp99'],
  ['{"cookie":"JSESSIONID=kitefly7lamp99"}', 'kitefly7lamp99'],
  ['{"set-cookie":["sid=kitefly7lamp99; Path=/"]}', 'kitefly7lamp99'],
  ['["Cookie","session=kitefly7lamp99"]', 'kitefly7lamp99'],
  ['Cookie:\r\n session=kitefly7lamp99==\r\nHost: a', 'kitefly7lamp99=='],
])('in %j, the cookie of a session is found', ([text = '', value = '']) => {
  expect(find(text)).toEqual([value])
})

test.for([
  'Cookie: theme=dark12345; lang=en-US-2024',
  'Set-Cookie: session=${token12345}',
  'Set-Cookie: session=<session-id-1>',
  'Cookie: session=[scrubbed]1; a=b',
  'document.cookie = "session=" + session1234',
  'the cookie: session=abc',
  'cookie: "session"',
])('in %j, no cookie is found', (text) => {
  expect(find(text)).toEqual([])
})

test('a long text of cookies is searched in linear time', () => {
  for (const piece of ['cookie: ', 'cookie: session=', 'cookie: session=abc12345;', 'a=b;'])
    expect(find(piece.repeat((256 * 1024) / piece.length))).toEqual(expect.any(Array))
})
