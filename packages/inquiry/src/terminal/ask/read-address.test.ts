import { expect, test } from 'vitest'
import { readAddress } from './read-address.ts'

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

const NOT_ENCRYPTED = 'only https is shown, and http on this machine'
const USER_NAME = 'it carries a user name, which can pass for the host'

test.for([
  ['', 'it is no web address'],
  ['a.example', 'it is no web address'],
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
] as const)('%s is not: %s', ([text, problem]) => {
  expect(readAddress(text)).toEqual({ ok: false, problem })
})
