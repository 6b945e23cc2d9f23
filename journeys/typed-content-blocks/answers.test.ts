import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, toToolOutput, tool } from '../stage/folder.ts'
import { readRows } from '../stage/rows.ts'

const question = (id: string, text: string, schema: object): object => ({
  type: 'question',
  question: { id, text, schema },
})
const STORE = '[store]\nurl = "sqlite:kept.db"\n'

/** A program that records each start, and prints `ask.json` until it receives the password. */
const LOGIN = `
echo started >> starts
case $(cat) in
  *hunter2*) echo "Logged in." ;;
  *) cat ask.json ;;
esac
`
const starts = (folder: string): number =>
  readFileSync(`${folder}/starts`, 'utf8').trim().split('\n').length

test('000 answers: an answer that does not match the schema is asked again before the tool receives it, and a secret is not stored', async () => {
  const name = question('name', 'Who are you?', { type: 'string', minLength: 3 })
  const secret = question('password', 'Password?', { type: 'string', format: 'password' })
  const folder = makeFolder({
    'ask.json': toToolOutput([name, secret]),
    'login.sh': LOGIN,
    'toolblocks.toml': STORE + tool('login', ['sh', 'login.sh']),
  })
  const { code, written } = await visit(
    folder,
    ['call', 'login'],
    [
      [/Who are you\?/, 'Al\r'],
      [/at least 3 characters/, 'ice\r'],
      [/Password\?/, 'hunter2\r'],
    ],
  )
  expect([code, starts(folder)]).toEqual([0, 2])
  expect(written).toContain('Logged in.')
  const rows = readRows(`${folder}/kept.db`)
  expect(rows.filter(({ type }) => type === 'answer')).toMatchObject([
    { action: 'accept', value: 'Alice' },
    { action: 'accept', redacted: true },
  ])
  expect(written + JSON.stringify(rows)).not.toContain('hunter2')
})

test('000 answers: a declined question ends the call as denied, and the tool is not started again', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput([question('go', 'Go on?', { type: 'boolean' })]),
    'login.sh': LOGIN,
    'toolblocks.toml': STORE + tool('login', ['sh', 'login.sh']),
  })
  const { code } = await visit(
    folder,
    ['call', 'login'],
    [
      [/Go on\?/, '\u001b'],
      [/What do you want to do\?[^]*Decline/, '\u001b[B\r'],
    ],
  )
  expect([code, starts(folder)]).toEqual([3, 1])
  const last = readRows(`${folder}/kept.db`).at(-1)
  expect(last).toMatchObject({ result: { isError: true, metadata: { outcome: 'denied' } } })
})

test('000 answers: a tool that repeats an answered question fails, and the result explains the correction', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput([question('go', 'Go on?', { type: 'boolean' })]),
    'login.sh': LOGIN,
    'toolblocks.toml': tool('login', ['sh', 'login.sh']),
  })
  const { code, stdout } = await toolblocks(folder, 'call', 'login', '--answer', 'go=true')
  expect([code, starts(folder)]).toEqual([1, 2])
  expect(stdout).toContain('asked "go" again although it was answered; it must read tool.answers')
})
