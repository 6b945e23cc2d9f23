import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, toToolOutput, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'
import { getScreen } from '../stage/screen.ts'

const createText = (text: string): object => ({ type: 'text', text })
const question = (id: string, text: string, schema: object, more: object = {}): object => ({
  type: 'question',
  question: { id, text, schema, ...more },
})

/** A program that prints `ask.json` until it has an answer for the last question, then its request. It records every request. */
const MERGE = `
request=$(cat)
printf '%s\\n' "$request" >> requests.jsonl
case $request in
  *'"why":'*) echo "$request" ;;
  *) cat ask.json ;;
esac
`

const BRANCHES = ['main', 'develop', 'staging']
const QUESTIONS = [
  createText('THE FIRST BLOCK'),
  question('sure', 'Merge it?', { type: 'boolean' }),
  createText('THE SECOND BLOCK'),
  question('branch', 'Which branch?', { type: 'string', enum: BRANCHES }, { default: 'develop' }),
  createText('THE THIRD BLOCK'),
  question('why', 'Why?', { type: 'string' }),
]

const DOWN = '\u001b[B'

test('000 question schema: a yes-no, a choice and a text are asked in order, each below the blocks before it', async () => {
  const model = await startProvider([{ calls: [['merge', {}]] }, { text: 'Merged.' }])
  const folder = makeFolder({
    'ask.json': toToolOutput(QUESTIONS),
    'merge.sh': MERGE,
    'toolblocks.toml': model.settings + tool('merge', ['sh', 'merge.sh']),
  })
  const { code, written } = await visit(
    folder,
    ['run', 'Merge.'],
    [
      [/THE FIRST BLOCK[^]*Merge it\?[^]*Yes[^]*No/, 'y\r'],
      [/THE SECOND BLOCK[^]*Which branch\?[^]*main[^]*develop[^]*staging/, `${DOWN}\r`],
      [/THE THIRD BLOCK[^]*Why\?/, 'It is ready.\r'],
    ],
  )
  expect(code).toBe(0)
  const answers = { sure: true, branch: 'staging', why: 'It is ready.' }
  expect(JSON.parse(model.results().join(''))).toMatchObject({ tool: { answers } })

  const screen = await getScreen(written)
  for (const block of ['THE FIRST BLOCK', 'THE SECOND BLOCK', 'THE THIRD BLOCK'])
    expect(screen.split(block)).toHaveLength(2)

  const requests = readFileSync(`${folder}/requests.jsonl`, 'utf8').trim().split('\n')
  const sentAnswers = requests.map((line) => JSON.parse(line).tool.answers)
  expect(sentAnswers).toEqual([{}, answers])
  const kept = readRows(`${folder}/kept.db`)
  expect(kept.filter(({ type }) => type === 'answer')).toMatchObject([
    { value: true },
    { value: 'staging' },
    { value: 'It is ready.' },
  ])
})

test('000 re-execution: a program is started again with all answers so far, and its last output is the result', async () => {
  const program = `
request=$(cat)
case $request in
  *'"size":'*'"colour":'*) printf '{"content":[{"type":"text","text":"painted"}]}' ;;
  *'"size":'*) cat colour.json ;;
  *) cat size.json ;;
esac
printf '%s\\n' "$request" >> requests.jsonl
`
  const size = question('size', 'How big?', { type: 'integer' })
  const colour = question('colour', 'Which colour?', { enum: ['red', 'blue'] })
  const folder = makeFolder({
    'size.json': toToolOutput([createText('A preview.'), size]),
    'colour.json': toToolOutput([createText('Another preview.'), colour]),
    'paint.sh': program,
    'toolblocks.toml': `[store]\nurl = "sqlite:kept.db"\n${tool('paint', ['sh', 'paint.sh'])}`,
  })
  const answers = ['--answer', 'colour=blue', '--answer', 'size=3']
  const { code, stdout } = await toolblocks(folder, 'call', 'paint', ...answers)
  expect([code, stdout]).toEqual([0, 'painted\n'])
  const requests = readFileSync(`${folder}/requests.jsonl`, 'utf8').trim().split('\n')
  expect(requests.map((line) => JSON.parse(line).tool.answers)).toEqual([
    {},
    { size: 3 },
    { size: 3, colour: 'blue' },
  ])
  const kept = readRows(`${folder}/kept.db`).map(({ type }) => type)
  const asked = ['question', 'answer']
  expect(kept).toEqual([
    'configuration',
    'turn_start',
    'tool_call',
    ...asked,
    ...asked,
    'tool_result',
  ])
})

test('000 question default: a default is preselected, and used without asking only if the configuration says so', async () => {
  const ask = question('branch', 'Which?', { enum: BRANCHES }, { default: 'develop' })
  const program = `case $(cat) in *'"branch":"develop"'*) echo develop ;; *) cat ask.json ;; esac\n`
  const asks = ['sh', 'ask.sh'] as const
  const taking = `parameters = {}\nquestions = { branch = { fallback = "default" } }`
  const folder = makeFolder({
    'ask.json': toToolOutput([ask]),
    'ask.sh': program,
    'toolblocks.toml': tool('careful', asks) + tool('quick', asks, taking),
  })
  const { written } = await visit(folder, ['call', 'careful'], [[/Which\?[^]*staging/, '\r']])
  expect(await getScreen(written)).toMatch(/\ndevelop$/)
  expect((await toolblocks(folder, 'call', 'careful')).code).toBe(5)
  expect((await toolblocks(folder, 'call', 'quick')).stdout).toBe('develop\n')
})

test('000 complex schema: flat fields are a form, and nested ones are JSON in the editor of the person, from a template', async () => {
  const address = {
    type: 'object',
    properties: { name: { type: 'string' }, floor: { type: 'integer' } },
    required: ['name', 'floor'],
  }
  const lists = {
    type: 'object',
    properties: { to: address, tags: { type: 'array', items: { type: 'object' } } },
    required: ['to', 'tags'],
  }
  const program = `
request=$(cat)
case $request in
  *'"parcel":'*) echo "$request" ;;
  *) cat ask.json ;;
esac
`
  const editor = `
cat "$1" > template
printf '{"to": {"name": "Ada", "floor": 2}, "tags": [{"a": 1}]}' > "$1"
`
  const asking = [question('address', 'Where to?', address), question('parcel', 'What?', lists)]
  const folder = makeFolder({
    'ask.json': toToolOutput(asking),
    'send.sh': program,
    'editor.sh': editor,
    'toolblocks.toml': tool('send', ['sh', 'send.sh']),
  })
  const { code, written } = await visit(
    folder,
    ['call', 'send'],
    [
      [/Where to\?[^]*name/, 'Ada\r'],
      [/floor/, '2\r'],
      [/Send this/, '\r'],
      [/What\?[^]*Answer in the editor/, '\r'],
    ],
    { environment: { EDITOR: `sh ${folder}/editor.sh` } },
  )
  expect(code).toBe(0)
  const answers = [
    '"address":{"name":"Ada","floor":2}',
    '"parcel":{"to":{"name":"Ada","floor":2},"tags":[{"a":1}]}',
  ]
  expect(written.replaceAll('\r\n', '')).toContain(`"answers":{${answers.join(',')}}`)
  const template = readFileSync(`${folder}/template`, 'utf8')
  expect(template).toMatch(/^\/\/ What\?[^]*"to": \{[^]*"name": "",[^]*"floor": 0,[^]*"tags": \[/)
})

test('000 content before a question: an MCP client receives it with the question', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput(QUESTIONS),
    'merge.sh': MERGE,
    'toolblocks.toml': tool('merge', ['sh', 'merge.sh']),
  })
  const answers = [true, 'main', 'It is ready.']
  const forms: string[] = []
  const client = await connectClient(folder, ['serve'], ({ message }) => {
    const value = answers[forms.push(message) - 1] ?? ''
    return { action: 'accept', content: { value } }
  })
  const merged = await client.callTool({ name: 'merge' })
  expect(forms).toEqual([
    'THE FIRST BLOCK\n\nMerge it?',
    'THE SECOND BLOCK\n\nWhich branch?',
    'THE THIRD BLOCK\n\nWhy?',
  ])
  expect(JSON.stringify(merged.content)).toContain('It is ready.')
})

test('000 question schema: what was typed for another program while the tool worked answers nothing, and the person is told', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput([
      question('why', 'Really go on with the deletion?', { type: 'boolean' }),
    ]),
    'slow.sh': `sleep 1\n${MERGE}`,
    'toolblocks.toml': tool('slow', ['sh', 'slow.sh']),
  })
  const { code, written } = await visit(
    folder,
    ['call', 'slow'],
    [
      [/slow/, 'ls -y\r'],
      [/What was typed before this question was discarded[^]*Yes[^]*No/, '\u0003'],
    ],
  )
  expect(code).toBe(130)
  expect(written).not.toContain('"why":true')
})

test('000 question schema: a word that begins no answer answers nothing, with Enter neither', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput([
      question('why', 'Really go on with the deletion?', { type: 'boolean' }),
    ]),
    'merge.sh': MERGE,
    'toolblocks.toml': tool('merge', ['sh', 'merge.sh']),
  })
  const { code, written } = await visit(
    folder,
    ['call', 'merge'],
    [
      [/Really go on[^]*No/, 'maybe'],
      [/maybe█/, '\r'],
      [/This is no choice\. Nothing was answered/, '\u0003'],
    ],
  )
  expect(code).toBe(130)
  expect(await getScreen(written)).toContain('■  Really go on with the deletion?')
})

test('000 question schema: Enter alone chooses nothing of a list without a default, also if the first choice is a yes', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput([
      question('why', 'Really go on with the deletion?', { enum: ['yes', 'no'] }),
    ]),
    'merge.sh': MERGE,
    'toolblocks.toml': tool('merge', ['sh', 'merge.sh']),
  })
  const { code, written } = await visit(
    folder,
    ['call', 'merge'],
    [
      [/Really go on[^]*no[^]*navigate/, '\r'],
      [/Nothing is selected\. Nothing was answered/, '\u0003'],
    ],
  )
  expect(code).toBe(130)
  expect(written).not.toContain('"why":"yes"')
})
