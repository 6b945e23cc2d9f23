import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { type Provider, startProvider } from '../stage/provider.ts'

/** More tools than are listed by default. */
const MANY = Array.from({ length: 120 }, (_, index) =>
  tool(
    `harbor_${index}`,
    ['echo', `harbor ${index}`],
    'parameters = {}\nsummary = "Counts boats."',
  ),
).join('')

const WEATHER = tool(
  'weather_report',
  ['echo', 'Rain in {{tool.arguments.city}}'],
  'summary = "Tells the weather of a city."\nparameters = { city = { type = "string" } }',
)

/** Returns the names of the tools in one request to the provider. */
function getTools({ requests }: Provider, index: number): readonly string[] {
  const { tools } = requests[index] as { tools: readonly { function: { name: string } }[] }
  return tools.map((each) => each.function.name)
}

test('promise many tools: above 100 tools a model finds them with search_tools, and the found definitions stay in the conversation', async () => {
  const model = await startProvider([
    { calls: [['search_tools', { query: 'weather of a city' }]] },
    { calls: [['weather_report', { city: 'Oslo' }]] },
    { text: 'It rains.' },
    { text: 'Still.' },
  ])
  const folder = makeFolder({ 'toolblocks.toml': model.settings + MANY + WEATHER })
  expect((await toolblocks(folder, 'run', 'Is it raining in Oslo?')).code).toBe(0)
  expect(getTools(model, 0)).toContain('search_tools')
  expect(getTools(model, 0).filter((name) => /^(?:harbor|weather)_/.test(name))).toEqual([])
  expect(getTools(model, 1)).toEqual([...getTools(model, 0), 'weather_report'])
  expect(model.results()).toEqual([
    expect.stringContaining('weather_report: Tells the weather of a city.'),
    'Rain in Oslo\n',
  ])
  expect((await toolblocks(folder, 'run', '--resume', 'latest', 'And now?')).code).toBe(0)
  expect(getTools(model, 3)).toContain('weather_report')
})

test('promise many tools: defer and defer_above choose what is listed', async () => {
  const model = await startProvider([{ text: 'Hello.' }])
  const settings = `${WEATHER}defer = true\n${tool('clock', ['date'], 'parameters = {}')}`
  const folder = makeFolder({ 'toolblocks.toml': model.settings + settings })
  await toolblocks(folder, 'run', 'Hello.')
  expect(getTools(model, 0)).toEqual(expect.arrayContaining(['clock', 'search_tools']))
  expect(getTools(model, 0)).not.toContain('weather_report')
  const all = makeFolder({
    'toolblocks.toml': `${model.settings}${MANY}${WEATHER}[tool_search]\ndefer_above = 200\n`,
  })
  await toolblocks(all, 'run', 'Hello.')
  expect(getTools(model, 1)).toEqual(expect.arrayContaining(['harbor_119', 'weather_report']))
  expect(getTools(model, 1)).not.toContain('search_tools')
})

test('promise many tools: a client of serve gets search_tools and call_tool, and the called tool keeps its policy', async () => {
  const asking = WEATHER.replace('run = "unattended"', 'run = "ask"')
  const folder = makeFolder({ 'toolblocks.toml': MANY + asking })
  const asked: string[] = []
  const client = await connectClient(folder, ['serve'], ({ message }) => {
    asked.push(message)
    return { action: 'accept', content: { value: asked.length > 1 } }
  })
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'search_tools',
    'call_tool',
  ])
  const searched = await client.callTool({ name: 'search_tools', arguments: { query: 'weather' } })
  expect(JSON.stringify(searched.content)).toContain(String.raw`\"city\":{\"type\":\"string\"}`)
  const call = { name: 'weather_report', arguments: { city: 'Oslo' } }
  const denied = await client.callTool({ name: 'call_tool', arguments: call })
  expect(denied.isError).toBe(true)
  const allowed = await client.callTool({ name: 'call_tool', arguments: call })
  expect(allowed.content).toEqual([{ type: 'text', text: 'Rain in Oslo\n' }])
  expect(asked).toEqual([
    expect.stringContaining('Run weather_report?'),
    expect.stringContaining('Run weather_report?'),
  ])
})
