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
