import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { startProvider, getToolDefinitions } from '../stage/provider.ts'

/** A program with two tools, which writes each action that it was started for into a file. */
function program(tools: readonly object[]): string {
  return `
request=$(cat)
case $request in
  *'"action":"schema"'*) echo schema >> starts; printf '%s' '${JSON.stringify({ tools })}' ;;
  *'"name":"close"'*) echo close >> starts; echo closed ;;
  *) echo "$request" >> requests; echo open >> starts; echo opened ;;
esac
`
}

const local = (name: string, more = ''): string =>
  `[tools.${name}]\nsource = "local"\ncommand = ["sh", "doors.sh"]\nrun = "unattended"\n${more}\n`

const DOORS = [
  {
    name: 'open',
    summary: 'Opens a door.',
    description: 'It squeaks where it is old.',
    parameters: {
      door: { type: 'string', summary: 'Which one.' },
      width: { type: 'integer', summary: 'In cm.', default: 90 },
    },
  },
  { name: 'close', summary: 'Closes all doors.' },
]

test('001 caching: a program with two tools is asked once for a conversation, and each call reaches the named tool', async () => {
  const model = await startProvider([
    {
      calls: [
        ['open', { door: 'left' }],
        ['close', {}],
      ],
    },
    { calls: [['open', { door: 'right' }]] },
    { text: 'Done.' },
  ])
  const folder = makeFolder({
    'doors.sh': program(DOORS),
    'toolblocks.toml': model.settings + local('open') + local('close'),
  })
  await toolblocks(folder, 'run', 'Open all doors.')
  expect(model.results()).toEqual(['opened\n', 'closed\n', 'opened\n'])
  const starts = readFileSync(`${folder}/starts`, 'utf8').trim().split('\n')
  expect(starts.toSorted()).toEqual(['close', 'open', 'open', 'schema'])
})

test('001 schema response format: a parameter without a default is required, and one with a default is filled in', async () => {
  const model = await startProvider([{ calls: [['open', { door: 'left' }]] }, { text: 'Done.' }])
  const folder = makeFolder({
    'doors.sh': program(DOORS),
    'toolblocks.toml': model.settings + local('open'),
  })
  await toolblocks(folder, 'run', 'Open the left door.')
  expect(getToolDefinitions(model.requests[0])['open']).toMatchObject({
    parameters: {
      properties: {
        door: { type: 'string', description: 'Which one.' },
        width: { type: 'integer', description: 'In cm.', default: 90 },
      },
      required: ['door'],
    },
  })
  const request = JSON.parse(readFileSync(`${folder}/requests`, 'utf8'))
  expect(request.tool.arguments).toEqual({ door: 'left', width: 90 })
})

test('001 summary and description: the summary is sent with each request, the description if the model asks for it', async () => {
  const model = await startProvider([
    { calls: [['describe_tools', { tools: ['open'] }]] },
    { text: 'It squeaks.' },
  ])
  const own = 'summary = "Opens one door."'
  const folder = makeFolder({
    'doors.sh': program(DOORS),
    'toolblocks.toml': model.settings + local('open', own) + local('close'),
  })
  await toolblocks(folder, 'run', 'Does it squeak?')
  expect(getToolDefinitions(model.requests[0])).toMatchObject({
    open: { description: 'Opens one door.' },
    close: { description: 'Closes all doors.' },
    describe_tools: {},
  })
  expect(JSON.stringify(model.requests[0])).not.toContain('squeaks')
  expect(model.results()).toEqual([expect.stringContaining('It squeaks where it is old.')])
})

test('001 parameters = {}: a program without parameters in the configuration is never asked for its description', async () => {
  const folder = makeFolder({
    'doors.sh': program(DOORS),
    'toolblocks.toml': local('open', 'parameters = {}'),
  })
  const listed = await toolblocks(folder, 'tools', '--refresh')
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(`${folder}/starts`)).toBe(false)
  expect((await toolblocks(folder, 'call', 'open')).stdout).toBe('opened\n')
  expect(readFileSync(`${folder}/starts`, 'utf8')).toBe('open\n')
})

test('001 minimal registration: the two lines of the specification are a complete configuration, also in the older table', async () => {
  const model = await startProvider([{ calls: [['open', { door: 'left' }]] }, { text: 'Done.' }])
  const folder = makeFolder({
    'doors.sh': program(DOORS),
    'toolblocks.toml': `${model.settings}
[conversation.tools.open]
source = "local"
command = "sh doors.sh"
`,
  })
  await toolblocks(folder, 'run', 'Open the left door.', '--allow-tool', 'open')
  expect(model.results()).toEqual(['opened\n'])
  expect(getToolDefinitions(model.requests[0])).toMatchObject({
    open: { description: 'Opens a door.' },
  })
})
