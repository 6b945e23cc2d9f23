import { expect, test } from 'vitest'
import { visit } from '../stage/command.ts'
import { getScreen } from '../stage/screen.ts'
import { makeDescribedWorkspace, makeTable } from '../stage/described-workspace.ts'

const COUNT = {
  name: 'count',
  summary: 'Counts.',
  parameters: { path: { type: 'string', summary: 'What to count.' } },
}

test('001 goals: source and command are enough: the program describes itself and is called', async () => {
  const { run, tool } = makeDescribedWorkspace(makeTable('count'))
  tool('count.sh', [COUNT])
  const { code, stdout, stderr } = await run('tools', '--trust')
  expect(code).toBe(0)
  expect(stdout).toContain('Counts.\n  --arg path= (string, required) What to count.')
  expect(stderr).toBe('')
  expect(await run('call', 'count', '--arg', 'path=a')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('ran'),
  })
  expect(await run('call', 'count')).toMatchObject({ code: 2 })
})

test('001 goals: a line says that programs are asked if that takes time, and is erased when they have answered', async () => {
  const { run, tool, folder, read, write } = makeDescribedWorkspace(
    makeTable('count') + makeTable('slow'),
  )
  tool('count.sh', [COUNT])
  tool('slow.sh', [{ ...COUNT, name: 'slow' }])
  write('slow.sh', `sleep 3\n${read('slow.sh')}`)
  const { written } = await visit(
    folder,
    ['tools', '--trust'],
    [[/asking sh slow\.sh for its description/, '']],
  )
  expect(await getScreen(written)).not.toContain('asking')
  const { stderr } = await run('tools', '--trust', '--refresh')
  expect(stderr).toBe('')
})

test("001 resolution flow: texts of the configuration override the program's, and JSON names the source of each text", async () => {
  const settings = `describe = true
summary = "Mine."
description = "{{description}} And mine."
[tools.count.parameters.path]
enum = ["a", "b"]
[tools.count.parameters.nope]
type = "string"`
  const { run, tool } = makeDescribedWorkspace(makeTable('count', settings))
  tool('count.sh', [{ ...COUNT, title: 'Count', description: 'Theirs.' }])
  const { stdout, stderr } = await run('tools', '--trust', '--output', 'json')
  expect(JSON.parse(stdout)).toMatchObject([
    {
      name: 'count',
      title: 'Count',
      summary: 'Mine.',
      description: 'Theirs. And mine.',
      inputSchema: { properties: { path: { type: 'string', enum: ['a', 'b'] } } },
      origins: {
        title: 'executable',
        summary: 'configuration',
        description: 'both',
        inputSchema: 'both',
      },
    },
  ])
  expect(stderr).toContain('tools.count.parameters.nope: the tool has no parameter of this name')
})

const BUILD = {
  name: 'build',
  summary: 'Builds.',
  parameters: {
    target: { type: 'string', summary: 'What to build.' },
    jobs: { type: 'integer', default: 2, summary: 'Jobs.' },
  },
}

test('001 resolution flow: a text of one parameter leaves its type and the other parameters, and tools NAME shows what comes from where', async () => {
  const settings = `[tools.build.parameters.jobs]
summary = "How many at once."`
  const { run, tool } = makeDescribedWorkspace(makeTable('build', settings))
  tool('build.sh', [BUILD])
  const { code, stdout } = await run('tools', 'build', '--trust')
  expect(code).toBe(0)
  expect(stdout).toContain('--arg target= (string, required) What to build.')
  expect(stdout).toContain('--arg jobs= (integer, default 2) How many at once.')
  expect(stdout).toContain('from summary: the program')
  expect(stdout).toContain('from --arg target=: type, summary: the program')
  expect(stdout).toContain(
    'from --arg jobs=: summary: the configuration; type, default: the program',
  )
  expect((await run('call', 'build', '--arg', 'target=x')).code).toBe(0)
  expect(await run('tools', 'bild')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no tool "bild"; did you mean "build"?'),
  })
})

test('001 resolution flow: a table with replace = true describes all of the tool, and the program is not asked', async () => {
  const settings = `replace = true
[tools.build.parameters.jobs]
summary = "How many at once."`
  const { run, tool, asks } = makeDescribedWorkspace(makeTable('build', settings))
  tool('build.sh', [BUILD])
  const { stdout } = await run('tools', 'build', '--trust')
  expect(stdout).not.toContain('target')
  expect(stdout).toContain('--arg jobs= (any, required) How many at once.')
  expect(stdout).toMatch(/from arguments: the configuration\n/)
  expect(asks('build.sh')).toBe(0)
})

test('001 resolution flow: if every parameter of a table has a type, the program is not asked, and this is said with how to ask it', async () => {
  const settings = `[tools.build.parameters.jobs]
type = "integer"`
  const { run, tool, asks } = makeDescribedWorkspace(makeTable('build', settings))
  tool('build.sh', [BUILD])
  const { stdout } = await run('tools', 'build', '--trust')
  expect(stdout).toContain(
    'from arguments: the configuration; the program was not asked for its description: describe = true asks it',
  )
  expect(asks('build.sh')).toBe(0)
})

test('001 resolution flow: a program that was asked because a parameter has no type, and describes nothing, is told how to be complete', async () => {
  const settings = `[tools.build.parameters.jobs]
summary = "How many at once."`
  const { run, write } = makeDescribedWorkspace(makeTable('build', settings))
  write('build.sh', 'echo built\n')
  const { code, stderr } = await run('tools', '--trust')
  expect(code).toBe(1)
  expect(stderr).toContain('its table gives no type of jobs. Write the types, or replace = true')
})

test('001 resolution flow: the arguments of a tool are listed with the types of unions, lists of types and references', async () => {
  const { run, tool } = makeDescribedWorkspace(makeTable('odd'))
  const node = { type: 'object', properties: { next: { $ref: '#/properties/node' } } }
  tool('odd.sh', [
    {
      name: 'odd',
      parameters: {
        size: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
        name: { type: ['string', 'null'] },
        node,
        first: { $ref: '#/properties/size' },
      },
    },
  ])
  const { stdout } = await run('tools', '--trust')
  expect(stdout).toContain('--arg size= (integer or string, required)')
  expect(stdout).toContain('--arg name= (string or null, optional)')
  expect(stdout).toContain('--arg node= (object, required)')
  expect(stdout).not.toContain('any')
})

test('001 multi-tool binaries: a program with several tools is asked once; the error for an unknown name lists its tools', async () => {
  const table = (name: string, source: string): string =>
    `[tools.${name}]\nsource = "${source}"\ncommand = "sh many.sh"\n`
  const { run, tool, asks } = makeDescribedWorkspace(
    table('one', 'local') + table('second', 'local.two') + table('constructor', 'local'),
  )
  tool('many.sh', [{ name: 'one' }, { name: 'two', summary: 'Second.' }])
  const { code, stdout, stderr } = await run('tools', '--trust')
  expect(asks('many.sh')).toBe(1)
  expect(stdout).toContain('one  run: ask\n\nsecond  run: ask\n  Second.')
  expect(stderr).toContain('describes no tool "constructor"; it describes one, two')
  expect(code).toBe(1)
})

test.for<[string, string, string]>([
  ['fails', 'echo broken; exit 3', 'ended with exit code 3: "broken"'],
  ['prints prose', 'echo hello', 'hello'],
  ['prints JSON of another shape', `echo '{"content":[]}'`, 'content'],
  ['describes no tool', `echo '{"tools":[]}'`, 'described no tool'],
  ['crashes', 'kill -9 $$', 'was ended by the signal SIGKILL'],
  ['floods', 'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxx; done', 'printed more than 1048576 bytes'],
])(
  '001 error reporting: a program that %s disables only its own tool',
  async ([, script, message]) => {
    const { run, write, tool } = makeDescribedWorkspace(makeTable('bad') + makeTable('good'))
    write('bad.sh', script)
    tool('good.sh', [{ name: 'good' }])
    const { code, stdout, stderr } = await run('tools', '--trust')
    expect(stdout).toBe('good  run: ask\n')
    expect(stderr).toContain(
      'toolblocks.toml:1: tools.bad: sh bad.sh, asked to describe itself (action "schema")',
    )
    expect(stderr).toContain(message)
    expect(stderr).toContain('Give the tool a "parameters" table')
    expect(code).toBe(1)
    expect((await run('call', 'good')).code).toBe(0)
    expect(await run('call', 'bad')).toMatchObject({ code: 1, stdout: '' })
  },
)

test('001 error reporting: a program is omitted if its arguments cannot be checked or do not match its command line', async () => {
  const { run, tool } = makeDescribedWorkspace(
    `${makeTable('odd')}[tools.fill]\nsource = "local"\ncommand = ["sh", "fill.sh", "{{tool.arguments.nope}}"]\n`,
  )
  tool('odd.sh', [{ name: 'odd', parameters: { a: { type: 'strnig' } } }])
  tool('fill.sh', [{ name: 'fill', parameters: { node: { type: 'string' } } }])
  const { code, stderr } = await run('tools', '--trust')
  expect(code).toBe(1)
  expect(stderr).toContain('tools.odd: its schema of the arguments cannot be checked')
  expect(stderr).toContain('tools.fill.command')
  expect(stderr).toContain('did you mean "node"?')
})

test('001 error reporting: a repair of a description is reported once', async () => {
  const table = (name: string): string =>
    `[tools.${name}]\nsource = "local"\ncommand = "sh many.sh"\n`
  const { run, write } = makeDescribedWorkspace(table('a') + table('b'))
  write('many.sh', `echo '{"tools":[{"name":"a"},{"name":"b"},{"summary":"nameless"}]}'`)
  const { code, stderr } = await run('tools', '--trust')
  expect(code).toBe(0)
  expect(stderr.match(/in the description of sh many\.sh, \/tools\/2/g)).toHaveLength(1)
})

test('001 schema response: a program may describe recursive arguments, in the `$defs` of a parameter', async () => {
  const { run, tool } = makeDescribedWorkspace(makeTable('tree'))
  const $ref = '#/properties/root/$defs/node'
  const node = { type: 'object', properties: { next: { $ref } }, additionalProperties: false }
  tool('tree.sh', [{ name: 'tree', parameters: { root: { $ref, $defs: { node } } } }])
  const { stdout, stderr } = await run('tools', '--trust', '--output', 'json')
  expect(stderr).not.toContain('cannot be checked')
  expect(JSON.parse(stdout)).toMatchObject([{ name: 'tree' }])
  const called = await run('call', 'tree', '--arguments', '{"root":{"next":{"nxt":{}}}}')
  expect(called.stdout + called.stderr).toContain('/root/next/nxt')
})

test('001 schema response: a default of null makes an argument optional, whatever its type', async () => {
  const { run, tool } = makeDescribedWorkspace(makeTable('list'))
  const project = { type: 'string', default: null }
  tool('list.sh', [{ name: 'list', parameters: { project } }])
  expect((await run('tools', '--trust')).stdout).toContain('--arg project= (string, optional)')
  expect((await run('call', 'list')).code).toBe(0)
})

test('001 error reporting: a default that its parameter does not allow is reported when the tool is loaded, and named by the failed call', async () => {
  const { run, tool } = makeDescribedWorkspace(makeTable('page'))
  const size = { type: 'integer', default: '7' }
  tool('page.sh', [{ name: 'page', parameters: { size } }])
  const { code, stderr } = await run('tools', '--trust')
  expect(code).toBe(0)
  expect(stderr).toContain(
    'in the description of sh page.sh, /parameters/size/default: expected integer, got string "7"',
  )
  const called = await run('call', 'page')
  expect(called.code).not.toBe(0)
  expect(called.stderr).toContain(
    'the tool\'s own default of "size": expected integer, got string "7"',
  )
  expect((await run('call', 'page', '--arg', 'size=7')).code).toBe(0)
})

test('001 error reporting: an error in a table is reported before any program is started', async () => {
  const { run, asks, tool } = makeDescribedWorkspace(
    '[tools.a]\nsource = "mcp.x"\ncommand = "sh a.sh"\n[tools.b]\nsource = "local"\ncommand = "sh \'a.sh"\n',
  )
  tool('a.sh', [{ name: 'a' }])
  const { code, stderr } = await run('tools', '--trust')
  expect([code, asks('a.sh')]).toEqual([2, 0])
  expect(stderr).toContain('tools.a.source: expected "local"')
  expect(stderr).toContain('toolblocks.toml:6: tools.b.command')
})

test('001 caching: the next start uses the cached description and asks in the background; changes are reported', async () => {
  const { run, tool, write, asks } = makeDescribedWorkspace(
    '[tools.count]\nsource = "local"\ncommand = "sh count.sh"\n',
  )
  tool('count.sh', [COUNT])
  write('summary', 'Old.')
  write(
    'count.sh',
    `echo asked >> count.sh.asked; printf '{"tools":[{"name":"count","summary":"%s"}]}' "$(cat summary)"`,
  )
  await run('tools', '--trust')
  expect(await run('tools', '--trust')).toMatchObject({ code: 0, stderr: '' })
  expect(asks('count.sh')).toBe(2)
  write('summary', 'New.')
  const changed = await run('tools', '--trust')
  expect(changed.stdout).toContain('Old.')
  expect(changed.stderr).toContain(
    'the description of sh count.sh has changed since it was read last',
  )
  expect((await run('tools', '--trust')).stdout).toContain('New.')
  write('summary', 'Newest.')
  expect((await run('tools', '--trust', '--refresh')).stdout).toContain('Newest.')
})

test('001 caching: the next start detects that a script after an interpreter was edited', async () => {
  const { run, tool } = makeDescribedWorkspace(makeTable('count'))
  tool('count.sh', [COUNT])
  await run('tools', '--trust')
  tool('count.sh', [{ ...COUNT, summary: 'Counts more.' }])
  const { stdout } = await run('tools', '--trust')
  expect(stdout).toContain('Counts more.')
})

test('001 caching: a refused call stores the description of the program that it asked', async () => {
  const { run, tool, read, write } = makeDescribedWorkspace(makeTable('count'))
  tool('count.sh', [COUNT])
  write('count.sh', `test -e gone && exit 1\n${read('count.sh')}`)
  expect((await run('call', 'count')).stderr).toContain('the argument "path" is missing')
  write('gone', '')
  expect((await run('call', 'count')).stderr).toContain('the argument "path" is missing')
})

test('001 schema response format: a live tool is listed as the model receives it: one flat object with all actions', async () => {
  const { run, tool } = makeDescribedWorkspace(makeTable('count', 'stateful = true'))
  tool('count.sh', [COUNT])
  const { stdout } = await run('tools', '--trust', '--output', 'json')
  const [listed] = JSON.parse(stdout) as { inputSchema: unknown }[]
  expect(listed?.inputSchema).toMatchObject({
    type: 'object',
    description: '"apply" needs input. "spawn" also needs path.',
    properties: {
      action: { type: 'string', enum: ['spawn', 'fetch', 'apply', 'abort'] },
      path: { type: 'string' },
    },
    required: ['action', 'id'],
  })
  expect(listed?.inputSchema).not.toHaveProperty('oneOf')
})
