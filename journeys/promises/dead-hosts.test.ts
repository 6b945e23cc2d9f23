import { expect, test } from 'vitest'
import { startToolblocks, toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'
import { hasResults, startProvider } from '../stage/provider.ts'
import { listQuestions } from '../stage/waiting.ts'

/** A server that asks during a call. Its client of MCP 2025-11-25 cannot make the call again. */
const SHIPS = createServerProgram(
  [{ name: 'ship', inputSchema: { type: 'object', properties: {} } }],
  `const properties = { fast: { type: 'boolean', title: 'Send it fast?' } }
  const said = await server.elicitInput({ message: 'How?', requestedSchema: { type: 'object', properties } })
  return { content: [{ type: 'text', text: said.action }] }`,
)

/** A tool that stays alive, and asks as soon as it is started. */
const REVIEW = `
import { createInterface } from 'node:readline'
const question = { id: 'next', text: 'Stage this hunk?', schema: { type: 'boolean' } }
for await (const line of createInterface({ input: process.stdin })) {
  const re = JSON.parse(line).seq
  const _meta = { 'toolblocks/re': re, 'computer.jp/status': 'waiting' }
  console.log(JSON.stringify({ content: [{ type: 'question', question }], _meta }))
}
`

/** A tool that asks for a secret. */
const LOGIN = `
import { readFileSync } from 'node:fs'
const { answers = {} } = JSON.parse(readFileSync(0, 'utf8')).tool
const question = { id: 'key', text: 'The key?', schema: { type: 'string', format: 'password' } }
const content = 'key' in answers ? [{ type: 'text', text: 'in' }] : [{ type: 'question', question }]
console.log(JSON.stringify({ content }))
`

/** Runs a prompt at a terminal until the prompt of the question, and kills the command there. */
async function killAtPrompt(
  call: readonly [string, object],
  prompt: RegExp,
  files: Readonly<Record<string, string>>,
  toml = '',
): Promise<string> {
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'All is done.' } : { calls: [call] },
  )
  const folder = makeFolder({ ...files, 'toolblocks.toml': model.settings + toml })
  await visit(folder, ['run', 'Go.', '--allow-tool', call[0]], [[prompt, { signal: 'SIGKILL' }]])
  return folder
}

test.for([
  [
    'an MCP server',
    ['notes__ship', {}],
    /Send it fast\?[^]*No/,
    { [SERVER_FILE]: SHIPS, '.mcp.json': SERVERS },
    '',
  ],
  [
    'a stateful tool',
    ['review', { action: 'spawn', id: 'a' }],
    /Stage this hunk\?[^]*No/,
    { 'review.mjs': REVIEW },
    tool('review', ['node', 'review.mjs'], 'stateful = true\nparameters = {}'),
  ],
] as const)(
  'promise questions that wait: the question of %s ends with its host: it is withdrawn, takes no answer, and the conversation continues',
  async ([, call, prompt, files, toml]) => {
    const folder = await killAtPrompt(call, prompt, files, toml)
    expect(await listQuestions(folder)).toEqual([])
    const [question] = await listQuestions(folder, '--all')
    expect(question).toMatchObject({ state: 'withdrawn' })
    const answered = await toolblocks(folder, 'questions', 'answer', question?.id ?? '', '--yes')
    expect(answered).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Withdrawn: its host ended before an answer'),
    })
    const resumed = await toolblocks(folder, 'run', '--resume')
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  },
)

test('promise questions that wait: the question for a secret stays open without its host, and is asked again when the conversation continues', async () => {
  const toml = tool('login', ['node', 'login.mjs'])
  const prompt = /The key\?[^]*\[7m/
  const folder = await killAtPrompt(['login', {}], prompt, { 'login.mjs': LOGIN }, toml)
  const [question] = await listQuestions(folder)
  expect(question).toMatchObject({ state: 'open', isAsked: false })
  const { stdout } = await toolblocks(folder, 'questions')
  expect(stdout).toContain('asked again when its conversation continues')
  const refused = await toolblocks(
    folder,
    'questions',
    'answer',
    question?.id ?? '',
    '--answer',
    'x',
  )
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is asked again when its conversation continues'),
  })
  const waiting = startToolblocks(folder, ['run', '--resume', '--wait'])
  const isAsked = async (): Promise<unknown> => (await listQuestions(folder))[0]?.isAsked
  await expect.poll(isAsked, { timeout: 20_000 }).toBe(true)
  await waiting.end('SIGKILL')
  const { code } = await visit(folder, ['run', '--resume'], [[prompt, 'hunter2\r']])
  expect(code).toBe(0)
  expect(await listQuestions(folder)).toEqual([])
})
