import { spawn } from 'node:child_process'
import { text as readAll } from 'node:stream/consumers'
import { readErrorDetails } from '@toolblocks/protocol'
import { describeExecutable } from '@toolblocks/local-executor'
import { describe, expect, test } from 'vitest'
import { getWords, writeProgram } from './program.support.ts'

/** A program of one tool, `probe`, whose `run` is this; `values` are its arguments. */
const probe = (body: string, more = '') =>
  writeProgram(`
await runTools([defineTool({
  name: 'probe',
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, times: { type: 'integer' } } },
  ${more}
  async run(values, { ask, show, signal, options, root }) { ${body} },
})])`)

const schemaRequest = '{"context":{"action":"schema","root":"."}}'
const runRequest = '{"context":{"action":"run","root":"."},"tool":{"name":"probe"}}'

describe('a program', () => {
  test('describes its tools', async () => {
    const { command, root } = writeProgram(`
await runTools([
  defineTool({ name: 'one', summary: 'First.', inputSchema: Type.Object({ a: Type.String() }), run: () => text('1') }),
  defineTool({ name: 'two', stateful: true, async *run() {} }),
])`)
    const { signal } = new AbortController()
    expect(
      await describeExecutable(command, { root, signal, env: ['NODE_COMPILE_CACHE'] }),
    ).toEqual({
      ok: true,
      tools: [
        {
          name: 'one',
          summary: 'First.',
          parameters: { a: { type: 'string', required: true } },
        },
        { name: 'two', parameters: {}, stateful: true },
      ],
      warnings: [],
    })
  })

  test('with several tools runs the called one, and lists them if the call names none', async () => {
    const { call } = writeProgram(`
const say = (name) => defineTool({ name, run: () => text(name) })
await runTools([say('one'), say('two')])`)
    expect(getWords(await call({}, {}, 'two'))).toEqual(['two'])
    const lost = await call({}, {}, 'three')
    expect([lost.isError, ...getWords(lost)]).toEqual([
      true,
      'No tool is called "three"; there are: one, two.',
    ])
  })

  test('with one tool runs it under any name', async () => {
    const { call } = probe(`return text('ran')`)
    expect(getWords(await call({}, {}, 'renamed'))).toEqual(['ran'])
  })

  test('passes the folder, the arguments and the options of the request to the tool', async () => {
    const { call, root } = probe(
      `return text(JSON.stringify([root, process.cwd(), values, options]))`,
    )
    expect(getWords(await call({ path: 'a' }))).toEqual([
      JSON.stringify([root, root, { path: 'a' }, {}]),
    ])
  })

  test('formats arguments for a person, and reports if it cannot', async () => {
    const shows = probe(`return text('')`, 'formatArguments: ({ path }) => `rm ${path}`,')
    const call = { id: 'c', name: 'probe', arguments: { path: 'x' } }
    const format = (program: typeof shows) =>
      program.tool().formatArguments?.(call, program.context())
    expect(getWords((await format(shows))!)).toEqual(['rm x'])
    expect(await format(probe(`return text('')`))).toMatchObject({ isError: true })
  })
})

describe('arguments', () => {
  test('that are invalid are reported one by one, and the tool does not run', async () => {
    const { call } = probe(`throw new Error('ran')`)
    const result = await call({ path: 1, times: 'x', pth: 'a' })
    expect(result.isError).toBe(true)
    const [message = ''] = getWords(result)
    expect(message).toMatch(/^Invalid arguments for the tool "probe"; the call was not run\.\n/)
    for (const path of ['/path', '/times', 'pth']) expect(message).toContain(path)
  })

  test('are also checked and converted by the library that made their schema', async () => {
    const { call, root } = writeProgram(`
const schema = { '~standard': {
  version: 1, vendor: 'own',
  validate: (given) => given.n === 13 ? { issues: [{ message: 'unlucky', path: ['n'] }] } : { value: { n: given.n * 2 } },
  jsonSchema: { input: () => ({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }) },
} }
await runTools([defineTool({ name: 'probe', inputSchema: schema, run: (args) => text(String(args.n)) })])`)
    expect(root).not.toBe('')
    expect(getWords(await call({ n: 2 }))).toEqual(['4'])
    expect(getWords(await call({ n: 13 })).join()).toContain('- /n: unlucky')
    expect(getWords(await call({ n: 'x' })).join()).toContain('- /n: ')
  })
})

describe('results', () => {
  test('are blocks, in the order in which they were shown and returned', async () => {
    const { call } = probe(`show(text('a'), text('b')); return [text('c'), text('d')]`)
    expect(getWords(await call())).toEqual(['a', 'b', 'c', 'd'])
  })

  test('of structured contain the data, with text for the model', async () => {
    const { call } = probe(`return structured({ kind: 'text', data: { content: 'x' } }, 'words')`)
    expect(await call()).toMatchObject({
      content: [{ type: 'text', text: 'words' }],
      isError: false,
      structuredContent: { kind: 'text', data: { content: 'x' } },
    })
  })

  test('of failure say what failed, whether a retry helps, and why', async () => {
    const { call } = probe(
      `return failure('Busy.', { transient: true, cause: new Error('a', { cause: new TypeError('b') }) })`,
    )
    const result = await call()
    expect([result.isError, getWords(result)]).toEqual([true, ['Busy.']])
    expect(readErrorDetails(result)).toEqual({
      transient: true,
      trace: ['Error: a', 'TypeError: b'],
    })
  })

  test.for([
    ['a thrown error', `throw new Error('broken', { cause: 'disk' })`],
    [
      'a rejected promise nobody waits for',
      `Promise.reject(new Error('broken', { cause: 'disk' })); await new Promise(() => setInterval(() => {}, 1000))`,
    ],
    [
      'an error in a callback',
      `setTimeout(() => { throw new Error('broken', { cause: 'disk' }) }, 1); await new Promise(() => {})`,
    ],
  ])('of %s are errors with its causes', async ([, body = '']) => {
    const { call } = probe(body)
    const result = await call()
    expect([result.isError, ...getWords(result)]).toEqual([true, 'The tool "probe" failed: broken'])
    expect(readErrorDetails(result).trace).toEqual(['Error: broken', 'disk'])
  })

  test.for([
    ['undefined', 'got nothing'],
    ['7', 'got number 7'],
    ['{ content: [{ type: "nonsense" }], isError: false }', 'got object'],
  ])(
    '%s is not a result, and the error says what is expected',
    async ([returned, message = '']) => {
      const result = await probe(`return ${returned}`).call()
      expect(result.isError).toBe(true)
      expect(getWords(result).join()).toContain(message)
    },
  )

  test.for([
    [`structured(1n, 'x')`, 'is no JSON'],
    [`text('x'.repeat(17 * 1024 * 1024))`, 'a host reads 16.8 MB'],
  ])('%s cannot be sent, and gives an error that says so', async ([returned, message = '']) => {
    const result = await probe(`return ${returned}`).call()
    expect([result.isError, getWords(result).join().includes(message)]).toEqual([true, true])
  })

  test('stay complete whatever else the tool prints', async () => {
    const { start } = probe(
      `console.log('noise'); process.stdout.write('more'); return text('said')`,
    )
    const { stdout, stderr } = await start(runRequest)
    expect(JSON.parse(stdout)).toEqual({
      content: [{ type: 'text', text: 'said' }],
      isError: false,
    })
    expect(stderr).toBe('noise\nmore')
  })

  test('that can never settle are an error', async () => {
    const result = await probe(`await new Promise(() => {}); return text('')`).call()
    expect([result.isError, getWords(result)]).toEqual([
      true,
      ['The tool "probe" failed: it waits for something that cannot come any more'],
    ])
  })

  test('are sent although the tool keeps a resource open', async () => {
    const { start } = probe(`setInterval(() => {}, 1000); return text('said')`)
    expect(await start(runRequest)).toMatchObject({ code: 0 })
  })
})

describe('questions', () => {
  const deletes = `
    show(text('12 lines'))
    if (!ask.boolean('sure', 'Delete it?', { default: false })) return text('kept')
    const how = ask.select('how', 'How?', ['trash', 'forever'])
    return text(how)`

  test('are asked one after the other, with the content shown before; answered ones are not asked again', async () => {
    const { call } = probe(deletes)
    expect(await call()).toMatchObject({
      content: [
        { type: 'text', text: '12 lines' },
        {
          type: 'question',
          question: { id: 'sure', text: 'Delete it?', schema: { type: 'boolean' }, default: false },
        },
      ],
      isError: false,
    })
    expect((await call({}, { sure: true })).content.at(-1)).toMatchObject({
      question: { id: 'how', schema: { enum: ['trash', 'forever'] } },
    })
    expect(getWords(await call({}, { sure: true, how: 'forever' }))).toEqual([
      '12 lines',
      'forever',
    ])
    expect(getWords(await call({}, { sure: false }))).toEqual(['12 lines', 'kept'])
  })

  test('of any schema return a value of that schema', async () => {
    const { call } = probe(`
      const { to } = ask.json('mail', 'To whom?', Type.Object({ to: Type.String() }))
      return text(ask.text('subject', 'About what?') + to)`)
    expect((await call()).content).toMatchObject([
      { question: { id: 'mail', schema: { properties: { to: { type: 'string' } } } } },
    ])
    expect(getWords(await call({}, { mail: { to: 'Ada' }, subject: 'For ' }))).toEqual(['For Ada'])
  })

  test('are asked although the tool catches every error', async () => {
    const { call } = probe(`try { ask.text('a', 'A?') } catch { return text('caught') }`)
    expect(getWords(await call())).toEqual(['(question)'])
  })

  test.for([
    [{ sure: 'yes' }, '"yes"; expected true or false'],
    [{ sure: true, how: 'slowly' }, '"slowly"; expected one of trash, forever'],
  ] as const)('with a wrong answer %j fail the call', async ([answers, message]) => {
    const result = await probe(deletes).call({}, answers)
    expect([result.isError, getWords(result).join().includes(message)]).toEqual([true, true])
  })
})

describe('a program that is started by hand', () => {
  test('reads a request from its command line if standard input has none', async () => {
    const { start } = probe(`return text(values.path)`)
    const context = '{"action":"run","root":"."}'
    const tool = '{"name":"probe","arguments":{"path":"a"}}'
    const results = await Promise.all([
      start('', [context, tool]),
      start('', [`{"context":${context},"tool":${tool}}`]),
      start(`{"context":${context},\n"tool":${tool}}\n`),
    ])
    for (const { stdout } of results)
      expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: 'a' }] })
    const { stdout } = await start('', ['{"action":"schema","root":"."}', 'null'])
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ name: 'probe' }] })
  })

  test('answers a line while its input stays open', async () => {
    const { command, root } = probe(`return text('said')`)
    const child = spawn(command[0]!, command.slice(1), {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.write(`${schemaRequest}\n`)
    const code = await new Promise((resolve) => child.on('close', resolve))
    child.stdin.destroy()
    expect(code).toBe(0)
  })

  test('prints its usage', async () => {
    const { start } = probe(`return text('')`, `summary: 'Probes.',`)
    const helped = await start('', ['--help'])
    expect([helped.code, helped.stdout]).toEqual([0, expect.stringContaining('  probe  Probes.\n')])
    const silent = await start('')
    expect([silent.code, silent.stdout]).toEqual([1, ''])
    expect(silent.stderr).toBe(helped.stdout)
  })

  test.for(['prose', '{"context":{}}', '{}'])('refuses %j', async (input) => {
    const { code, stdout } = await probe(`return text('')`).start(input)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Expected a request, .*; got /) }],
    })
  })

  test('cannot have no tools, or two with one name', async () => {
    const none = await writeProgram(`await runTools([])`).start(runRequest)
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('at least one tool')])
    const twice = `const a = defineTool({ name: 'a', run: () => text('') })\nawait runTools([a, a])`
    const { code, stderr } = await writeProgram(twice).start(runRequest)
    expect([code, stderr]).toEqual([1, expect.stringContaining('are both called "a"')])
  })
})

test('SIGTERM aborts the run, and its last output is still the result', async () => {
  const { command, root } = probe(`
    setInterval(() => {}, 1000)
    process.stderr.write('ready')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return text('cleaned up')`)
  const child = spawn(command[0]!, command.slice(1), { cwd: root })
  child.stdin.end(runRequest)
  child.stderr.once('data', () => child.kill('SIGTERM'))
  expect(JSON.parse(await readAll(child.stdout))).toMatchObject({
    content: [{ text: 'cleaned up' }],
  })
})
