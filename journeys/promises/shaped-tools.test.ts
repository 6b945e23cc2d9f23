import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { createPrintCommand, makeFolder, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { startProvider } from '../stage/provider.ts'

const BRIDGE = join(import.meta.dirname, '../../packages/mcp-bridge')
/** Answers like the published server of GitHub, from its recording, and only with the recorded arguments. */
const REPLAY = [process.execPath, join(BRIDGE, 'src/testing/replayed-server.support.ts'), 'github']
const SERVER = REPLAY.map((word) => `"${word}"`).join(' ')

/** 15 lines beside the command of the server and the store. */
const SHAPED = `
[store]
url = "sqlite:record.db"
[mcp.servers.github]
command = ${JSON.stringify(REPLAY[0])}
args = ${JSON.stringify(REPLAY.slice(1))}
run = "deny"
[tools.issues]
source = "mcp.github.list_issues"
run = "unattended"
fixed = { owner = "octokit-fixture-org", repo = "paginate-issues" }
hidden = ["direction", "labels", "page", "per_page", "since", "sort", "state"]
select = ["*/number", "*/title", "*/state", "*/user/login"]
[tools.issue]
source = "mcp.github.get_issue"
run = "unattended"
fixed = { owner = "octokit-fixture-org", repo = "paginate-issues" }
select = ["title", "body", "state", "user/login"]
[tools.find_issues]
source = "mcp.github.search_issues"
run = "unattended"
select = ["total_count", "items/*/number", "items/*/title"]
`

const REPO = { owner: 'octokit-fixture-org', repo: 'paginate-issues' }
const QUERY = { q: 'sesame repo:octokit-fixture-org/search-issues' }

type Call = readonly [name: string, values: Record<string, unknown>]

/** Returns the text of a result. */
async function callTool(client: Client, [name, values]: Call): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: values })
  expect(isError ?? false, JSON.stringify(content)).toBe(false)
  return (content as { text: string }[]).map(({ text }) => text).join('\n')
}

/** Counts the characters of the definitions and results that a model of a client gets. */
async function measure(client: Client, calls: readonly Call[]): Promise<number> {
  const { tools } = await client.listTools()
  const definitions = tools
    .filter(({ name }) => name !== 'read_tool_result')
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  let count = JSON.stringify(definitions).length
  for (const call of calls) count += (await callTool(client, call)).length
  return count
}

test('promise shaped tools: with 15 lines of configuration, a model gets at least 80 % less of the server of GitHub, and reads the rest by path', async () => {
  const whole = await connectClient(makeFolder({}), ['serve', '--server', SERVER])
  const before = await measure(whole, [
    ['list_issues', REPO],
    ['get_issue', { ...REPO, issue_number: 13 }],
    ['search_issues', QUERY],
  ])
  const folder = makeFolder({ 'toolblocks.toml': SHAPED })
  const shaped = await connectClient(folder, ['serve', '--trust'])
  const after = await measure(shaped, [
    ['issues', {}],
    ['issue', { issue_number: 13 }],
    ['find_issues', QUERY],
  ])
  expect(1 - after / before).toBeGreaterThan(0.8)
  const { tools } = await shaped.listTools()
  expect(tools.find(({ name }) => name === 'issues')?.inputSchema).toMatchObject({ properties: {} })
  const issues = await callTool(shaped, ['issues', {}])
  const [data = '', note = ''] = issues.split('\n')
  expect(JSON.parse(data)[12]).toEqual({
    number: 1,
    title: 'Test issue 1',
    state: 'open',
    user: { login: 'octokit-fixture-user-a' },
  })
  const { call = '', path = '' } =
    /call "(?<call>[^"]+)", path such as "(?<path>[^"]+)"/.exec(note)?.groups ?? {}
  const first = await callTool(shaped, ['read_tool_result', { call, path }])
  expect(first).toContain('"author_association"')
}, 120_000)

test('promise shaped tools: options of serve shape a server, and a fixed argument that a client sends otherwise is refused', async () => {
  const options = [
    ['--rename', 'get_issue=issue', '--describe', 'get_issue=Reads an issue of our project.'],
    ['--fix', `get_issue.owner=${REPO.owner}`, '--fix', `get_issue.repo=${REPO.repo}`],
    ['--select', 'get_issue=title', '--no-record'],
  ].flat()
  const client = await connectClient(makeFolder({}), ['serve', '--server', SERVER, ...options])
  const { tools } = await client.listTools()
  const issue = tools.find(({ name }) => name === 'issue')
  expect(issue).toMatchObject({ description: 'Reads an issue of our project.' })
  expect(Object.keys(issue?.inputSchema.properties ?? {})).toEqual(['issue_number'])
  const result = await callTool(client, ['issue', { issue_number: 13 }])
  expect(result).toBe(
    '{"title":"Test issue 13"}\n[Above are only selected parts of the data. No tool reads the rest.]',
  )
  const refused = await client.callTool({
    name: 'issue',
    arguments: { issue_number: 13, owner: 'someone' },
  })
  expect(refused.isError).toBe(true)
  expect(JSON.stringify(refused.content)).toContain('the host has fixed the value')
})

test('promise shaped tools: a model of a chat gets the selected parts of a result, and the record has all of it', async () => {
  const model = await startProvider([{ calls: [['print', {}]] }, { text: 'Read.' }])
  const folder = makeFolder({
    'notes.json': JSON.stringify({ notes: [{ name: 'a', text: 'secret words' }], total: 1 }),
    'toolblocks.toml':
      model.settings +
      tool('print', createPrintCommand('notes.json'), 'parameters = {}\nselect = ["notes/*/name"]'),
  })
  const { stderr } = await toolblocks(folder, 'run', 'Print it.')
  const [result = ''] = model.results()
  expect(stderr).not.toContain('error')
  expect(result).toMatch(/^\{"notes":\[\{"name":"a"\}\]\}\n\n\[Above are only selected parts/)
  const { stdout: hits } = await toolblocks(folder, 'conversations', 'search', 'secret words')
  expect(hits).toContain('secret words')
})
