import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { createPrintCommand, makeFolder, toToolOutput, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { getScreen } from '../stage/screen.ts'
import { startProvider } from '../stage/provider.ts'

test('000 formatted: content that a tool formatted itself has no line of the host for the model, and other resources have the configured one', async () => {
  const resource = { uri: 'file:///w/a.rs', mimeType: 'text/rust', text: 'x' }
  const printed = toToolOutput([
    { type: 'resource', resource, formatted: 'a.rs, line 1:\n1 x' },
    { type: 'resource', resource },
  ])
  const runWithFormat = async (format: string): Promise<readonly string[]> => {
    const model = await startProvider([{ calls: [['look', {}]] }, { text: 'Read.' }])
    const folder = makeFolder({
      'printed.json': printed,
      'toolblocks.toml': `${format}${model.settings}${tool('look', ['cat', 'printed.json'])}`,
    })
    await toolblocks(folder, 'run', 'Look.')
    return model.results()
  }
  expect(await runWithFormat('')).toEqual([
    'a.rs, line 1:\n1 x\n\nResource file:///w/a.rs:\n\n```rs\nx\n```',
  ])
  expect(await runWithFormat('[format]\nresource_header = "none"\n')).toEqual([
    'a.rs, line 1:\n1 x\n\n```rs\nx\n```',
  ])
})

test("000 questions: text after a tool's last question is on the screen below its prompt, once, and a model that answers receives it", async () => {
  const go = {
    type: 'question',
    question: { id: 'go', text: 'Go on?', schema: { type: 'boolean' } },
  }
  const asking = toToolOutput([
    { type: 'text', text: 'The plan is long.' },
    go,
    { type: 'text', text: 'It takes a night.' },
  ])
  const script = `process.stdin.on('data', (data) => { const { go } = JSON.parse(data).tool.answers
    console.log(go === undefined ? ${JSON.stringify(asking)} : 'Went: ' + go) })`
  const table = tool('plan', ['node', 'plan.cjs'])
  const atTerminal = makeFolder({ 'plan.cjs': script, 'toolblocks.toml': table })
  const { written } = await visit(
    atTerminal,
    ['call', 'plan'],
    [[/The plan is long\.[^]*Go on\?/, 'y\r']],
  )
  expect(await getScreen(written)).toMatch(
    /The plan is long\.[^]*Go on\?[^]*Yes[^]*It takes a night\.[^]*Went: true/,
  )
  expect(written.split('It takes a night.')).toHaveLength(2)
  const model = await startProvider((messages) =>
    JSON.stringify(messages.at(-1)).includes('Go on?')
      ? { text: '{"answer":false}' }
      : JSON.stringify(messages).includes('Went')
        ? { text: 'Done.' }
        : { calls: [['plan', {}]] },
  )
  const folder = makeFolder({
    'plan.cjs': script,
    'toolblocks.toml': `${model.settings}${table}[tools.plan.questions.go]\ntarget = "assistant"\n`,
  })
  await toolblocks(folder, 'run', 'Plan.')
  const asked = JSON.stringify(
    model.requestMessages.find((messages) => JSON.stringify(messages.at(-1)).includes('Go on?')),
  )
  expect(asked).toMatch(/The plan is long\..*Go on\?.*It takes a night\./)
  expect(model.results().at(-1)).toBe('Went: false\n')
})

test('000 response format: JSON that resembles a result stays text, and person, model and client read what is missing', async () => {
  const printed = '{"isError":true,"content":"boom"}'
  const model = await startProvider([{ calls: [['check', {}]] }, { text: 'Read.' }])
  const folder = makeFolder({
    'printed.json': printed,
    'toolblocks.toml': model.settings + tool('check', ['cat', 'printed.json']),
  })
  const called = await toolblocks(folder, 'call', 'check')
  expect(called.stdout).toContain(printed)
  expect(called.stdout + called.stderr).toContain(
    'Print {"content": [{"type": "text", "text": "…"}], "isError": true}.',
  )
  await toolblocks(folder, 'run', 'Check.')
  const [result = ''] = model.results()
  const [line, ...rest] = result.split('\n\n')
  expect(line).toMatch(/^\[The tool's output looks like a result[^\n]*\]$/)
  expect(rest).toEqual([printed])
  const client = await connectClient(folder, ['serve', '--trust'])
  const served = await client.callTool({ name: 'check', arguments: {} })
  expect(served.content).toEqual([{ type: 'text', text: printed }])
  expect(served._meta).toMatchObject({ 'toolblocks/warnings': [{ code: 'missing-content' }] })
})

test('000 resource: a title beside a resource is its title, and every misplaced or wrong field is reported to its author', async () => {
  const resource = { uri: 'file:///a.md', text: 'Fresh paint.' }
  const folder = makeFolder({
    'title.json': JSON.stringify({
      content: [{ type: 'resource', resource, title: 'The pier' }],
      _meta: { 'computer.jp/error': { transient: true, trace: 'rust' } },
    }),
    'null.json': '{"content":null}',
    'toolblocks.toml': [
      tool('title', createPrintCommand('title.json')),
      tool('nothing', createPrintCommand('null.json')),
    ].join('\n'),
  })
  const titled = await toolblocks(folder, 'call', 'title')
  expect(titled.stdout).toContain('The pier')
  expect(titled.stderr).toContain('"title" was moved from the block into "resource"')
  expect(titled.stderr).toContain('The field "trace" was omitted: expected array of strings')
  expect(titled.stderr).toContain('A result that is not an error is not transient')
  const none = await toolblocks(folder, 'call', 'nothing')
  expect(none.stdout).toContain('{"content":null}')
  expect(none.stderr).toContain('its "content" is not an array')
})
