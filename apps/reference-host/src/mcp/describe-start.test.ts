import { expect, test } from 'vitest'
import { describeStart } from './describe-start.ts'

const start = (table: object): string =>
  describeStart({ name: 'x', file: 'f', own: {}, tools: {}, table: { ...table } })

test('what a person agrees to has the command line, the folder and every variable, as they are written', () => {
  expect(
    start({ command: 'npx', args: ['-y', 'a b'], cwd: 'sub', env: { TOKEN: '${TOKEN}' } }),
  ).toBe('"TOKEN=${TOKEN}" npx -y \'a b\' (in sub)')
})

test('an address is no command, and its headers belong to it', () => {
  expect(start({ url: 'https://a.example/mcp', headers: { Authorization: 'Bearer ${T}' } })).toBe(
    'connection to https://a.example/mcp "Authorization: Bearer ${T}"',
  )
})

test('what is written otherwise than it has to be is not taken for a part of it', () => {
  expect(start({ command: 'x', args: ['a', 1, null, 'b'], cwd: 1, env: ['A'] })).toBe('x a b')
  expect(start({ command: 'x', args: 'a' })).toBe('x')
  expect(start({ url: 'https://a.example', headers: 'x' })).toBe('connection to https://a.example')
  expect(start({ command: 'x', env: { A: 1, 'B"': 'c\n' } })).toBe('"A=1" "B\\"=c\\n" x')
})
