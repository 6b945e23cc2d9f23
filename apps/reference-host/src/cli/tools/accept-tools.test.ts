import { expect, test } from 'vitest'
import { withoutTrust } from '../toolblocks.support.ts'
import {
  type DescribedWorkspace,
  makeDescribedWorkspace,
  makeTable,
} from '../../workspace/tools/described-workspace.support.ts'

const LOCK = 'toolblocks.lock.json'
const BEFORE = { name: 'a', summary: 'Reads.', parameters: { path: { type: 'string' } } }
const AFTER = {
  ...BEFORE,
  summary: 'Reads and sends.',
  parameters: { path: { type: 'integer' }, more: { type: 'string', default: '' } },
}

/** Records a tool, and then changes its description. */
async function change(settings = ''): Promise<DescribedWorkspace> {
  const workspace = makeDescribedWorkspace(makeTable('a', settings) + makeTable('b'))
  workspace.tool('a.sh', [BEFORE])
  workspace.tool('b.sh', [{ name: 'b' }])
  await workspace.run('tools', '--trust')
  workspace.tool('a.sh', [AFTER])
  return workspace
}

const DIFFERENCE = [
  /-\s*parameters\.path\.type: "string"\n/,
  /\+\s*parameters\.path\.type: "integer"\n/,
  /\+\s*parameters\.more\.default: ""\n/,
  /-\s*summary: "Reads\."\n/,
  /\+\s*summary: "Reads and sends\."\n/,
]

test('the description of a tool is recorded beside the configuration when it is first seen', async () => {
  const { run, tool, read } = makeDescribedWorkspace(makeTable('a') + makeTable('b'))
  tool('a.sh', [BEFORE])
  tool('b.sh', [{ name: 'b' }])
  await run('call', 'a', '--arg', 'path=x')
  expect(Object.keys(JSON.parse(read(LOCK)).tools)).toEqual(['a'])
  await run('tools', '--trust')
  expect(JSON.parse(read(LOCK))).toMatchObject({
    version: 1,
    tools: {
      a: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), definition: { summary: 'Reads.' } },
      b: { definition: { name: 'b' } },
    },
  })
})

test('a change is shown once, place by place; then it is recorded', async () => {
  const { run, read } = await change()
  const { code, stdout, stderr } = await run('tools', '--trust')
  expect(code).toBe(0)
  expect(stdout).toContain('Reads and sends.')
  expect(stderr).toContain('the description of a differs from the one in toolblocks.lock.json')
  for (const line of DIFFERENCE) expect(stderr).toMatch(line)
  expect(read(LOCK)).toContain('Reads and sends.')
  expect((await run('tools', '--trust')).stderr).toBe('')
})

test('a call does not record a change', async () => {
  const { run, read } = await change()
  expect(await run('call', 'a', '--arg', 'path=3')).toMatchObject({ code: 0 })
  expect(read(LOCK)).not.toContain('Reads and sends.')
})

test('a pinned tool that has changed is omitted until the change is accepted', async () => {
  const { run, read } = await change('pin = true')
  const { code, stdout, stderr } = await run('tools', '--trust')
  expect([code, stdout]).toEqual([3, 'b  run: ask\n'])
  expect(stderr).toContain('toolblocks tools accept a')
  for (const line of DIFFERENCE) expect(stderr).toMatch(line)
  expect(await run('call', 'a', '--arg', 'path=3')).toMatchObject({ code: 3, stdout: '' })
  expect(read(LOCK)).not.toContain('Reads and sends.')

  const accepted = await run('tools', 'accept', 'a')
  expect(accepted).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') })
  for (const line of DIFFERENCE) expect(accepted.stdout).toMatch(line)
  expect(accepted.stdout).toContain('Accepted a, and recorded in toolblocks.lock.json.')
  expect(await run('call', 'a', '--arg', 'path=3')).toMatchObject({ code: 0 })
  expect((await run('tools', 'accept', 'a')).stdout).toContain('No tool has changed')
})

test('--all accepts every tool with agreement', async () => {
  const { run, folder } = await change('pin = true')
  expect(await withoutTrust(folder, 'tools', 'accept', '--all')).toMatchObject({ code: 3 })
  expect(await run('tools', 'accept', '--all', '--trust')).toMatchObject({ code: 0 })
  expect(await run('tools', '--trust')).toMatchObject({ code: 0 })
})

test.for([
  [[], 'expected the names of the tools whose change you accept, or --all'],
  [['a', '--all'], 'expected the names of the tools whose change you accept, or --all'],
  [['aa'], 'no tool "aa"'],
] as const)('toolblocks tools accept %j is wrong usage', async ([args, message]) => {
  const { run, read } = await change('pin = true')
  expect(await run('tools', 'accept', ...args)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  })
  expect(read(LOCK)).not.toContain('Reads and sends.')
})

test.for<[string, string]>([
  ['{', 'JSON'],
  ['{"version":2,"tools":{}}', 'expected {"version":1'],
  [
    '{"version":1,"tools":{"a":{"sha256":"0","definition":{"name":"a","inputSchema":{}}}}}',
    'tools.a: the description does not match its sha256',
  ],
])(
  'a file that contains %s allows no pinned tool, and is not replaced',
  async ([text, message]) => {
    const { run, write, read } = await change('pin = true')
    write(LOCK, text)
    const { code, stdout, stderr } = await run('tools', '--trust')
    expect([code, stdout]).toEqual([3, 'b  run: ask\n'])
    expect(stderr).toContain(message)
    expect((await run('tools', 'accept', 'a')).code).not.toBe(0)
    expect(read(LOCK)).toBe(text)
  },
)

test('pin has no effect on a tool that is not asked for its description, and a warning says so', async () => {
  const { run } = makeDescribedWorkspace(makeTable('a', 'parameters = {}\npin = true'))
  const { code, stderr } = await run('tools')
  expect(code).toBe(0)
  expect(stderr).toContain('toolblocks.toml:5: tools.a.pin: this tool has "parameters"')
})

test('tools that are no longer configured are removed from the record', async () => {
  const { run, write, read } = await change()
  write('toolblocks.toml', makeTable('a'))
  await run('tools', '--trust')
  expect(Object.keys(JSON.parse(read(LOCK)).tools)).toEqual(['a'])
})
