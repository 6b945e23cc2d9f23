import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'

const createText = (text: string): object => ({ type: 'text', text })
const file = (name: string, text: string): object => ({
  type: 'resource',
  resource: { uri: `file:///project/${name}`, text },
})

test('000 text block: the text of a tool reaches the model and the person character for character', async () => {
  const text = '  Two warnings:\n\n\t- `a` is *never* read\n\t- <b> is\n'
  const model = await startProvider([{ calls: [['check', {}]] }, { text: 'I see.' }])
  const folder = makeFolder({
    'check.json': toToolOutput([createText(text)]),
    'toolblocks.toml': model.settings + tool('check', createPrintCommand('check.json')),
  })
  await toolblocks(folder, 'run', 'Check it.')
  expect(model.results()).toEqual([text])
  expect(await toolblocks(folder, 'call', 'check')).toEqual({ code: 0, stdout: text, stderr: '' })
})

test('000 content block ordering: texts and files keep the order of the tool, for model and person', async () => {
  const model = await startProvider([{ calls: [['review', {}]] }, { text: 'Done.' }])
  const order = ['First look at b.', 'the text of b', 'Then at a.', 'the text of a', 'Compare.']
  const [first = '', b = '', then = '', a = '', last = ''] = order
  const content = [
    createText(first),
    file('b', b),
    createText(then),
    file('a', a),
    createText(last),
  ]
  const folder = makeFolder({
    'review.json': toToolOutput(content),
    'toolblocks.toml': model.settings + tool('review', createPrintCommand('review.json')),
  })
  await toolblocks(folder, 'run', 'Review a and b.')
  const { stdout } = await toolblocks(folder, 'call', 'review')
  for (const output of [model.results().join(''), stdout]) {
    const places = order.map((part) => output.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  }
})

test('000 malformed content blocks: a block that cannot be read is skipped with a warning, the others stay, and none becomes raw text', async () => {
  const model = await startProvider([{ calls: [['odd', {}]] }, { text: 'Done.' }])
  const nameless = { type: 'resource', resource: { text: 'whose is this?' } }
  const content = [createText('before'), { type: 'wat' }, nameless, createText('after')]
  const folder = makeFolder({
    'odd.json': toToolOutput(content),
    'toolblocks.toml': model.settings + tool('odd', createPrintCommand('odd.json')),
  })
  await toolblocks(folder, 'run', 'Try it.')
  const [result = ''] = model.results()
  expect(result).toMatch(/^\[The tool's result has 2 blocks that could not be read: .*"wat".*\]\n/)
  expect(result).toMatch(/\n\nbefore\n\nafter$/)
  expect(result).not.toContain('"type"')

  const { code, stdout, stderr } = await toolblocks(folder, 'call', 'odd')
  expect([code, stdout]).toEqual([0, 'before\nafter\n'])
  expect(stderr).toContain('/content/1')
  expect(stderr).toContain('/content/2')
  const json = JSON.parse((await toolblocks(folder, 'call', 'odd', '--output', 'json')).stdout)
  expect(json.content).toEqual([createText('before'), createText('after')])
  expect(json.metadata.warnings).toMatchObject([{ path: '/content/1' }, { path: '/content/2' }])
})
