import { expect, test } from 'vitest'
import { findAssignedSecrets } from './assigned-secrets.ts'

const find = (text: string): readonly string[] =>
  findAssignedSecrets(text).map(({ start, end }) => text.slice(start, end))

// Put together here, so that no file contains what looks like a key.
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJhbm4ifQ', 'c2lnbmF0dXJlLW9mLWFubg'].join('.')
const GOOGLE = `AIza${'Sy0bX7'.repeat(6).slice(0, 35)}`
const AWS = `AKIA${'Q7ZP'.repeat(4)}`

test.for([
  [`API_KEY=${'q7zp'.repeat(8)}`, 'q7zp'.repeat(8)],
  ['PASSWORD=hunter2-Blue', 'hunter2-Blue'],
  ['password=hunter2secret', 'hunter2secret'],
  ['https://a.example/?api_key=k3y-of-ann&page=2', 'k3y-of-ann'],
  ['mysql --password=s3cret-of-ann db', 's3cret-of-ann'],
  [`the key sk-proj-${'q7Zp'.repeat(6)}.`, `sk-proj-${'q7Zp'.repeat(6)}`],
  ['DB_PASSWORD=hunter2-Blue-Whale-93', 'hunter2-Blue-Whale-93'],
  ['export SERVICE_API_KEY="k3y-of-the-service"', 'k3y-of-the-service'],
  ['{"user":"ann","password":"correct horse"}'.replace(' ', '-'), 'correct-horse'],
  ["const apiKey = 'k3y-of-the-service'", 'k3y-of-the-service'],
  ['token: "t0ken-of-ann"', 't0ken-of-ann'],
  [`Authorization: Bearer ${JWT}`, JWT],
  [`cookie: session=${JWT}`, JWT],
  ['curl -s -u admin:s3cret-pass https://a.example', 's3cret-pass'],
  [`key is ${GOOGLE}`, GOOGLE],
  [`AWS_ACCESS_KEY_ID=${AWS}`, AWS],
])('in %j, the value is found', ([text = '', value = '']) => {
  expect(find(text)).toContain(value)
})

test.for([
  'const token = readBearer(authorization)',
  'DB_PASSWORD=$PASSWORD',
  'connect(password=password_of_user)',
  'a task-sk-of-something-that-is-long-enough',
  'DB_PASSWORD=${PASSWORD}',
  'password: "<your password>"',
  'token_env = "ROBOT"',
  'API_KEY=your-key-here',
  'TOKEN=process.env.TOKEN',
  '"password": "password"',
  'max_tokens: 4096',
  'tokenizer = "cl100k_base"',
  'Send the header Authorization: Bearer TOKEN.',
])('in %j, nothing is found', (text) => {
  expect(find(text)).toEqual([])
})

test('a long text without an end of its quotes is searched in linear time', () => {
  for (const piece of [
    'password="',
    'Bearer ',
    'curl -u a:',
    'A_'.repeat(50),
    'eyJ.eyJ.',
    'password=',
    'sk-',
    'a-'.repeat(50),
    'token:',
  ])
    expect(find(piece.repeat(100_000 / piece.length))).toEqual(expect.any(Array))
})
