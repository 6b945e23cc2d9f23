import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'
import { outdent, getScreen } from '../stage/screen.ts'

const resource = (uri: string, more: object, beside: object = {}): object => ({
  type: 'resource',
  resource: { uri, ...more },
  ...beside,
})

test('000 resource: a file is fenced in the language of its MIME type; without a type, or with an unknown one, in a plain fence', async () => {
  const model = await startProvider([{ calls: [['read', {}]] }, { text: 'Read.' }])
  const content = [
    resource('file:///project/main.rs', { mimeType: 'text/rust', text: 'fn main() {}' }),
    resource('file:///project/data', { mimeType: 'application/x-heard-of-by-nobody', text: 'a' }),
    resource('tracker://issue/1', { text: 'It fences with ``` itself.' }),
  ]
  const folder = makeFolder({
    'files.json': toToolOutput(content),
    'toolblocks.toml': model.settings + tool('read', createPrintCommand('files.json')),
  })
  await toolblocks(folder, 'run', 'Read them.')
  const [result = ''] = model.results()
  expect(result).toContain('\n```rs\nfn main() {}\n```\n')
  expect(result).toContain('\n```\na\n```\n')
  expect(result).toContain('\n````\nIt fences with ``` itself.\n````')
  expect(result).toContain('file:///project/main.rs')
  expect(result).toContain('tracker://issue/1')
})

test('000 resource: name, title and description are kept, and model and person see the title', async () => {
  const model = await startProvider([{ calls: [['read', {}]] }, { text: 'Read.' }])
  const named = { name: 'lamp.md', title: 'The lamp', description: 'How it is lit.' }
  const block = resource('file:///project/docs/7f3a.md', { text: 'Oil.', ...named })
  const folder = makeFolder({
    'lamp.json': toToolOutput([block]),
    'toolblocks.toml': model.settings + tool('read', createPrintCommand('lamp.json')),
  })
  const { stdout } = await toolblocks(folder, 'run', 'Read it.')
  expect(stdout).toMatch(/The lamp.*file:\/\/\/project\/docs\/7f3a\.md/)
  expect(model.results()).toEqual([expect.stringContaining('The lamp')])
  const kept = readRows(`${folder}/kept.db`)
  const results = kept.filter(({ type }) => type === 'tool_result')
  expect(results).toMatchObject([{ result: { content: [block] } }])
})

test('000 formatted: a model receives formatted text character for character, and the file is identified by its content', async () => {
  const text = 'fn main() {\n    println!("Hello");\n}\n'
  const formatted = '```rs (src/main.rs, lines 1-3)\nfn main() {\n    println!("Hello");\n}\n```'
  const typed = { mimeType: 'text/rust', text }
  const model = await startProvider([{ calls: [['read', {}]] }, { text: 'Read.' }])
  const folder = makeFolder({
    'main.json': toToolOutput([resource('file:///project/src/main.rs', typed, { formatted })]),
    'toolblocks.toml': model.settings + tool('read', createPrintCommand('main.json')),
  })
  await toolblocks(folder, 'run', 'Read it.')
  expect(model.results().join('')).toContain(formatted)
  expect(model.results().join('').split('println!')).toHaveLength(2)

  const json = await toolblocks(folder, 'call', 'read', '--output', 'json')
  expect(JSON.parse(json.stdout).metadata.resources).toMatchObject([
    { sha256: createHash('sha256').update(text).digest('hex'), bytes: text.length },
  ])
})

test('000 uri canonicalization: a file with a second spelling of its URI is a reference to the first', async () => {
  const text = 'a line of the file\n'.repeat(40)
  const model = await startProvider([
    { calls: [['read', {}]] },
    { calls: [['list', {}]] },
    { text: 'The same.' },
  ])
  const folder = makeFolder({
    'one.json': toToolOutput([resource('file:///project/src/main.rs', { text })]),
    'other.json': toToolOutput([resource('file:///project/./src/../src/main.rs', { text })]),
    'toolblocks.toml':
      model.settings +
      tool('read', createPrintCommand('one.json')) +
      tool('list', createPrintCommand('other.json')),
  })
  await toolblocks(folder, 'run', 'Read it twice.')
  const [first, second] = model.results()
  expect(first).toContain(text)
  expect(second).toContain('has not changed since block 1 of the result of call')
  expect(second).not.toContain('a line of the file')

  const called = await toolblocks(folder, 'call', 'list', '--output', 'json')
  const { content, metadata } = JSON.parse(called.stdout)
  expect(content[0].resource.uri).toBe('file:///project/./src/../src/main.rs')
  expect(metadata.resources[0].uri).toBe('file:///project/src/main.rs')
})

test('000 annotations: content for the user only is one line for the model, and content for the assistant only is one line on the screen', async () => {
  const model = await startProvider([{ calls: [['build', {}]] }, { text: 'Built.' }])
  const content = [
    { type: 'text', text: 'Your coffee is ready.', annotations: { audience: ['user'] } },
    { type: 'text', text: 'Exit status 0.', annotations: { audience: ['assistant'] } },
    { type: 'text', text: 'It is built.', annotations: { audience: ['user', 'assistant'] } },
  ]
  const folder = makeFolder({
    'build.json': toToolOutput(content),
    'toolblocks.toml': model.settings + tool('build', createPrintCommand('build.json')),
  })
  const { written } = await visit(folder, ['run', 'Build it.'], [])
  expect(model.results()).toEqual(['[for the person only: text]\n\nExit status 0.\n\nIt is built.'])
  const screen = outdent(await getScreen(written))
  expect(screen).toContain(
    '▸ build\nYour coffee is ready.\ntext for the model, not shown\nIt is built.\n',
  )
  const kept = readRows(`${folder}/kept.db`)
  expect(kept.filter(({ type }) => type === 'tool_result')).toMatchObject([{ result: { content } }])
})
