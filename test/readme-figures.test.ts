import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8')
const readme = read('README.md')
const hosts = read('docs/hosts.md')

/** Reads the rows of the table whose first column is `client`, as lists of cells. */
function readRows(document: string): readonly (readonly string[])[] {
  const [, table = ''] = /^\| client .*\n\|[ -|]*\n((?:\|.*\n)+)/m.exec(document) ?? []
  return table
    .trim()
    .split('\n')
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

test('the table of the README has the clients, versions, dates and losses of docs/hosts.md', () => {
  const measured = readRows(hosts).map(([client, version, date, _name, _asks, direct, gateway]) => [
    client,
    version,
    date,
    direct,
    gateway,
  ])
  expect(readRows(readme)).toEqual(measured)
  expect(readme).toContain(`We gave ${measured.length} clients`)
})

test('the README says how much of a long text arrives, as docs/hosts.md does', () => {
  const sentence = /Of a text with 200,000 characters, [^.]*\./.exec(readme)?.[0] ?? ''
  for (const client of ['Claude Code', 'GitHub Copilot CLI', 'Codex']) {
    const row = readRows(hosts).find(([name]) => name === client)
    const [, characters] = /\(([\d,]+)\)/.exec(row?.at(-1) ?? '') ?? []
    expect(sentence).toContain(`${characters === '0' ? 'none' : characters} in ${client}`)
  }
})

test('the README says what client libraries keep, as docs/fidelity.md does', () => {
  const [, all = ''] = /\*\*Complete\*\*, of (\d+)/.exec(read('docs/fidelity.md')) ?? []
  const complete = new Map(
    [
      ...read('docs/fidelity.md').matchAll(/^\| 2025-11-25 \| `([^`]+)` +\| [^|]+\| +(\d+) \|/gm),
    ].map(([, client = '', count = '']) => [client, count]),
  )
  const langchain = complete.get('@langchain/mcp-adapters')
  expect(readme.replaceAll(/\s+/g, ' ')).toContain(
    `Of ${all} results, \`@langchain/mcp-adapters\` keeps ${langchain} complete, \`@openai/agents\` ${complete.get('@openai/agents')} and Toolblocks ${complete.get('@toolblocks/mcp-bridge')}.`,
  )
})
