import { expect, test } from 'vitest'
import { readAddress } from './ask-address.ts'
import { seatNear } from './person/at-streams.support.ts'
import { type PutQuestion, keys } from './person/keys.support.ts'

const source = { kind: 'elicitation', server: 'books' } as const

/** A question to visit an address. */
function visit(url: string): PutQuestion {
  return { request: { id: 'a', text: 'Connect your account', schema: true, url }, source }
}

const accepted = { action: 'accept', value: true, raw: false }

const declined = { action: 'decline', raw: false }

test('an address is shown in full, with its host in network form, and visiting is not preselected', async () => {
  const person = seatNear([visit('https://bücher.example/a?b=1')])
  expect(await person.sees('● No')).toMatchInlineSnapshot(`
    "┌  Server books asks · Esc: back, decline, cancel
    │
    │  Connect your account
    │  Host: xn--bcher-kva.example
    │  https://xn--bcher-kva.example/a?b=1
    │
    ◆  Do you want to visit this page? Nothing is opened for you.
    │  ○ Yes / ● No
    └"
  `)
  person.types('y', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted])
})

test('an address of this machine may be unencrypted, with a note; "no" declines', async () => {
  const person = seatNear([visit('http://localhost:8080/')])
  expect(await person.sees('● No')).toMatchInlineSnapshot(`
    "┌  Server books asks · Esc: back, decline, cancel
    │
    │  Connect your account
    │  Host: localhost:8080
    │  http://localhost:8080/
    │
    ▲  Not encrypted: fine only for a program you run on this machine.
    │
    ◆  Do you want to visit this page? Nothing is opened for you.
    │  ○ Yes / ● No
    └"
  `)
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([declined])
})

test('Ctrl-C cancels', async () => {
  const person = seatNear([visit('https://a.example/')])
  await person.sees('● No')
  person.types(keys.interrupt)
  expect((await person.leaves()).answers).toEqual([
    { action: 'cancel', reason: 'user', raw: false },
  ])
})

test.for([
  ['no web address', 'mailto', 'it is not a web address'],
  [
    'one that hides its host',
    'https://bank.example@evil.example/',
    'it has a user name, which can imitate the host',
  ],
  [
    'one without encryption',
    'http://evil.example/',
    'only https addresses are shown, and http addresses of this machine',
  ],
] as const)('%s is declined without asking, and not shown', async ([, url, why]) => {
  const { answers, screen } = await seatNear([visit(url)]).leaves()
  expect(answers).toEqual([declined])
  expect(screen.replaceAll('\n│  ', ' ')).toBe(
    [
      '┌  Server books asks · Esc: back, decline, cancel',
      '│',
      `■  The address to visit was refused: ${why}.`,
      '└  Declined',
    ].join('\n'),
  )
})

test.for([
  ['https://a.example', 'https://a.example/', 'a.example', 'encrypted'],
  ['https://a.example:8443/x', 'https://a.example:8443/x', 'a.example:8443', 'encrypted'],
  ['https://localhost/', 'https://localhost/', 'localhost', 'encrypted'],
  ['http://localhost:8080/', 'http://localhost:8080/', 'localhost:8080', 'plain'],
  ['http://127.0.0.1/', 'http://127.0.0.1/', '127.0.0.1', 'plain'],
  ['http://127.10.20.255:99/', 'http://127.10.20.255:99/', '127.10.20.255:99', 'plain'],
  ['http://[::1]:1/', 'http://[::1]:1/', '[::1]:1', 'plain'],
] as const)('%s is shown as %s', ([text, href, host, transport]) => {
  expect(readAddress(text)).toEqual({ ok: true, href, host, transport })
})

const NOT_ENCRYPTED = 'only https addresses are shown, and http addresses of this machine'

const USER_NAME = 'it has a user name, which can imitate the host'

test.for([
  ['', 'it is not a web address'],
  ['a.example', 'it is not a web address'],
  ['https://ada@a.example/', USER_NAME],
  ['https://:secret@a.example/', USER_NAME],
  ['http://ada@localhost/', USER_NAME],
  ['http://a.example/', NOT_ENCRYPTED],
  ['http://localhost.a.example/', NOT_ENCRYPTED],
  ['http://a.localhost/', NOT_ENCRYPTED],
  ['http://127.0.0.1.a.example/', NOT_ENCRYPTED],
  ['http://10.127.0.0/', NOT_ENCRYPTED],
  ['http://[::2]/', NOT_ENCRYPTED],
  ['ftp://localhost/', NOT_ENCRYPTED],
  ['file:///etc/passwd', NOT_ENCRYPTED],
  ['javascript:alert(1)', NOT_ENCRYPTED],
] as const)('%s is refused: %s', ([text, problem]) => {
  expect(readAddress(text)).toEqual({ ok: false, problem })
})
