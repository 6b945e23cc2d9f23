import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'

const text = (content: string): object => ({ type: 'text', text: content })

const TRACE = ['io error: No such file or directory (os error 2)']
const CAUSES = `[Causes of the error, outermost first:]\n\n\`\`\`\n${TRACE[0]}\n\`\`\``

test('000 error responses: an MCP client receives the causes of an error after its text, and no model does if the configuration says so', async () => {
  const failed = {
    isError: true,
    _meta: { 'computer.jp/error': { transient: true, trace: TRACE } },
  }
  const settings = tool('fetch', createPrintCommand('fetch.json'))
  const files = { 'fetch.json': toToolOutput([text('File not found: foo.rs')], failed) }
  const served = async (configuration: string): Promise<unknown> => {
    const folder = makeFolder({ ...files, 'toolblocks.toml': configuration })
    const client = await connectClient(folder, ['serve'])
    const { content } = await client.callTool({ name: 'fetch', arguments: {} })
    return content
  }
  expect(await served(settings)).toEqual([text('File not found: foo.rs'), text(CAUSES)])
  const without = `${settings}[format]\nerror_trace = false\n`
  expect(await served(without)).toEqual([text('File not found: foo.rs')])
  const model = await startProvider([{ calls: [['fetch', {}]] }, { text: 'It failed.' }])
  const folder = makeFolder({ ...files, 'toolblocks.toml': `${model.settings}${without}` })
  await toolblocks(folder, 'run', 'Read foo.rs.')
  expect(model.results()).toEqual([
    '[The tool call failed. The same call may succeed later.]\n\nFile not found: foo.rs',
  ])
})

test('000 error responses: a result with isError is a failure for the model, the person, the exit code and the file, with its error text', async () => {
  const about = { 'computer.jp/error': { transient: true, trace: TRACE } }
  const failed = { isError: true, _meta: about }
  const model = await startProvider(
    [{ calls: [['fetch', {}]] }, { calls: [['parse', {}]] }, { text: 'Both failed.' }],
    'anthropic',
  )
  const folder = makeFolder({
    'fetch.json': toToolOutput([text('File not found: foo.rs')], failed),
    'parse.json': toToolOutput([text('Not a number.')], { isError: true }),
    'toolblocks.toml': [
      model.settings,
      tool('fetch', createPrintCommand('fetch.json')),
      tool('parse', createPrintCommand('parse.json')),
    ].join('\n'),
  })
  const { stdout, stderr } = await toolblocks(folder, 'run', 'Read foo.rs.')
  expect(stdout).toContain('File not found: foo.rs')
  expect(stderr).toMatch(/✗ failed {2}trying again may help\ncaused by: io error[^]*✗ failed\n/)
  const sent = JSON.stringify(model.requests.at(-1))
  expect(sent.split('"is_error":true')).toHaveLength(3)
  expect(model.results().map((result): unknown => JSON.parse(result))).toEqual([
    `[The tool call failed. The same call may succeed later.]\n\nFile not found: foo.rs\n\n${CAUSES}`,
    '[The tool call failed.]\n\nNot a number.',
  ])

  const { code, ...ran } = await toolblocks(folder, 'call', 'fetch', '--output', 'json')
  expect(code).toBe(1)
  expect(JSON.parse(ran.stdout)).toMatchObject({ isError: true, _meta: about })
  const [kept, other] = readRows(`${folder}/kept.db`).filter(({ type }) => type === 'tool_result')
  expect(kept).toMatchObject({ result: { isError: true, _meta: about } })
  expect(other).toMatchObject({ result: { isError: true } })
})

test('000 error responses: a program with an exit code other than 0 failed, and the model receives its output, its code and its standard error', async () => {
  const model = await startProvider([{ calls: [['build', {}]] }, { text: 'It failed.' }])
  const folder = makeFolder({
    'build.sh': 'echo "compiling main.rs"; echo "cannot find crate" >&2; exit 101\n',
    'toolblocks.toml': model.settings + tool('build', ['sh', 'build.sh']),
  })
  await toolblocks(folder, 'run', 'Build it.')
  const [result = ''] = model.results()
  expect(result).toMatch(/^\[The tool call failed\.\]\n\ncompiling main\.rs\n/)
  expect(result).toMatch(/exit code 101[^]*```\ncannot find crate\n```$/)
  expect((await toolblocks(folder, 'call', 'build')).code).toBe(1)
})
