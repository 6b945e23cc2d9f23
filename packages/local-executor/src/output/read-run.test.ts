import { type BlobRef, type KeepBytes } from '@toolblocks/protocol'
import { META_QUOTED } from '@toolblocks/protocol/internal'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { execute, makeContext, makeTool, makeWorkspace, texts } from '../workspace.support.ts'
import { describeLeft, keepOriginal } from './read-run.ts'

function shell(program: string): ReturnType<typeof makeTool> {
  return makeTool({ program, shell: true })
}

/** A store that records its input. */
function makeStore(): { keepBytes: KeepBytes; kept: { text: string; about: unknown }[] } {
  const kept: { text: string; about: unknown }[] = []
  const keepBytes: KeepBytes = async (bytes, about) => {
    const all = await buffer(bytes instanceof Uint8Array ? Readable.from([bytes]) : bytes)
    kept.push({ text: all.toString('latin1'), about })
    return blobRef(all)
  }
  return { keepBytes, kept }
}

function blobRef(bytes: Uint8Array): BlobRef {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
}

const response =
  '{"content":[{"type":"text","text":"hello"}],"_meta":{"x/y":1},"structuredContent":[2]}'

test('a response document becomes the result, with everything in it', async () => {
  const { root } = makeWorkspace()
  expect(await execute(makeTool(['printf', '%s', response]), makeContext(root))).toEqual({
    id: 'call-1',
    content: [{ type: 'text', text: 'hello' }],
    isError: false,
    structuredContent: [2],
    metadata: { outcome: 'completed' },
    _meta: { 'x/y': 1 },
  })
})

test.for(['exit 7', 'kill -SEGV $$'])('a response takes precedence over %s', async (ending) => {
  const { root } = makeWorkspace()
  const tool = shell(`printf '%s' '${response}'; echo noise >&2; ${ending}`)
  const result = await execute(tool, makeContext(root))
  expect(result).toMatchObject({
    isError: false,
    metadata: { outcome: 'completed', stderr: 'noise\n' },
  })
  expect(texts(result)).toEqual(['hello'])
})

test('a response with isError failed, with any exit code; its error details are unchanged', async () => {
  const { root } = makeWorkspace()
  const meta = { 'computer.jp/error': { transient: true, trace: ['a', 'b'] } }
  const document = JSON.stringify({
    content: [{ type: 'text', text: 'no' }],
    isError: true,
    _meta: meta,
  })
  expect(await execute(makeTool(['printf', '%s', document]), makeContext(root))).toEqual({
    id: 'call-1',
    content: [{ type: 'text', text: 'no' }],
    isError: true,
    metadata: { outcome: 'failed' },
    _meta: meta,
  })
})

test('raw output with exit code 0 is one block, character for character', async () => {
  const { root } = makeWorkspace()
  const tool = makeTool(['printf', '%b', '  a\\r\\n\\tb é\\0c\\n\\n'])
  expect(texts(await execute(tool, makeContext(root)))).toEqual(['  a\r\n\tb é\0c\n\n'])
})

test('no output is an empty text block', async () => {
  const { root } = makeWorkspace()
  expect(await execute(makeTool('true'), makeContext(root))).toEqual({
    id: 'call-1',
    content: [{ type: 'text', text: '' }],
    isError: false,
    metadata: { outcome: 'completed' },
  })
})

test('a failed program that printed nothing has only the failure', async () => {
  const { root } = makeWorkspace()
  expect(texts(await execute(shell('echo why >&2; exit 3'), makeContext(root)))).toEqual([
    'Tool "probe" ended with exit code 3. On stderr it printed:',
    'why\n',
  ])
})

test('raw output with another exit code is an error: stdout unmodified, then exit code and stderr', async () => {
  const { root } = makeWorkspace()
  const result = await execute(shell('printf " out\n"; echo why >&2; exit 3'), makeContext(root))
  expect(result).toEqual({
    id: 'call-1',
    content: [
      { type: 'text', text: ' out\n' },
      { type: 'text', text: 'Tool "probe" ended with exit code 3. On stderr it printed:' },
      { type: 'text', text: 'why\n', _meta: { [META_QUOTED]: true } },
    ],
    isError: true,
    metadata: { outcome: 'failed' },
  })
})

test('an end by a signal is named', async () => {
  const { root } = makeWorkspace()
  const result = await execute(shell('kill -SEGV $$'), makeContext(root))
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(texts(result)).toEqual([
    'Tool "probe" was ended by the signal SIGSEGV. It printed nothing on stderr.',
  ])
})

test('standard error of a successful tool is in the metadata, never in the blocks', async () => {
  const { root } = makeWorkspace()
  const result = await execute(shell('echo warning >&2; echo ok'), makeContext(root))
  expect(texts(result)).toEqual(['ok\n'])
  expect(result.metadata).toEqual({ outcome: 'completed', stderr: 'warning\n' })
})

test('a flood on stderr keeps its head and tail', async () => {
  const { root } = makeWorkspace()
  const result = await execute(
    shell('echo first >&2; head -c 5000000 /dev/zero | tr "\\0" x >&2; echo last >&2; exit 1'),
    makeContext(root),
  )
  const [sentence, failure = ''] = texts(result)
  expect(sentence).toMatch(/On stderr it printed:$/)
  expect(failure).toMatch(/^first\nx+\n\[… 4934475 of 5000011 bytes omitted …\]\nx+last\n$/)
  expect(failure.length).toBeLessThan(70_000)
})

test('characters in several pieces are joined', async () => {
  const { root } = makeWorkspace()
  const tool = shell('for b in 303 251 360 237 230 200; do printf "\\\\$b"; sleep 0.01; done')
  expect(texts(await execute(tool, makeContext(root)))).toEqual(['é😀'])
})

test('content that the parser skips gives a warning, and the original is stored', async () => {
  const { root } = makeWorkspace()
  const { keepBytes, kept } = makeStore()
  const document = '{"content":[{"type":"wat"},{"type":"text","text":"b"}]}'
  const result = await execute(
    makeTool(['printf', '%s', document]),
    makeContext(root, { keepBytes }),
  )
  expect(result.metadata).toEqual({
    outcome: 'completed',
    warnings: [expect.objectContaining({ path: '/content/0', code: 'unknown-block-type' })],
    raw: blobRef(Buffer.from(document)),
  })
  expect(kept).toEqual([{ text: document, about: { call: 'call-1', stream: 'stdout' } }])
})

test.for([
  ['raw text', 'a\\n'],
  ['bytes that are no UTF-8', '\\0377\\0376x\\0377'],
  ['integers past 2^53', '{"content":[],"structuredContent":9007199254740993}'],
])('%s: the original is stored', async ([, text = '']) => {
  const { root } = makeWorkspace()
  const { keepBytes, kept } = makeStore()
  const tool = makeTool(['printf', '%b', text])
  const { metadata } = await execute(tool, makeContext(root, { keepBytes }))
  expect(kept).toHaveLength(1)
  expect(metadata?.raw).toEqual(blobRef(Buffer.from(kept[0]?.text ?? '', 'latin1')))
})

test('a response that its blocks represent completely is not stored again', async () => {
  const { root } = makeWorkspace()
  const { keepBytes, kept } = makeStore()
  const tool = makeTool(['printf', '%s', response])
  const { metadata } = await execute(tool, makeContext(root, { keepBytes }))
  expect([kept, metadata]).toEqual([[], { outcome: 'completed' }])
})

test('a failing store gives a warning, and the result stays', async () => {
  const { root } = makeWorkspace()
  const keepBytes: KeepBytes = () => Promise.reject(new Error('disk full'))
  const result = await execute(makeTool('echo hi'), makeContext(root, { keepBytes }))
  expect(result).toMatchObject({
    isError: false,
    content: [{ text: 'hi\n' }],
    metadata: {
      outcome: 'completed',
      warnings: [{ code: 'output-not-kept', message: expect.stringContaining('disk full') }],
    },
  })
})

test('the outcome dialect is read if the definition sets it', async () => {
  const { root } = makeWorkspace()
  const document = '{"type":"error","message":"no","trace":["a"],"transient":true}'
  const command = ['printf', '%s', document]
  expect(texts(await execute(makeTool(command), makeContext(root)))).toEqual([document])
  expect(await execute(makeTool(command, { dialect: 'outcome' }), makeContext(root))).toMatchObject(
    {
      content: [{ type: 'text', text: 'no' }],
      isError: true,
      metadata: { outcome: 'failed' },
      _meta: { 'computer.jp/error': { transient: true, trace: ['a'] } },
    },
  )
})

test('a resource_link is kept, with a warning to embed a resource', async () => {
  const { root } = makeWorkspace()
  const block = { type: 'resource_link', uri: 'file:///a', name: 'a' }
  const result = await execute(
    makeTool(['printf', '%s', JSON.stringify({ content: [block] })]),
    makeContext(root),
  )
  expect(result.content).toEqual([block])
  expect(result.metadata?.warnings).toEqual([
    expect.objectContaining({ code: 'local-resource-link' }),
  ])
})

type Left = Parameters<typeof describeLeft>[0]['left']

const some = (count: number, fate: 'killed' | 'kept'): Left =>
  Array.from({ length: count }, (_, index) => ({ pid: index + 1, name: `"${index}`, fate }))

const named = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"\\"${index}" (process ${index + 1})`).join(', ')

test.for<[string, boolean, Left, readonly string[]]>([
  ['nothing', false, [], []],
  [
    'something that held its output open',
    true,
    [],
    [
      'The program ended, but a process that it started held its output open and was killed: wait for the processes that you start, or redirect their output.',
    ],
  ],
  [
    'that and others',
    true,
    some(1, 'killed'),
    [
      `The program ended, but a process that it started held its output open and was killed, with all processes that left its group: ${named(1)}. Wait for the processes that you start, or redirect their output.`,
    ],
  ],
  [
    'what was killed, five of it by name',
    false,
    some(5, 'killed'),
    [`The program ended, but processes that it started kept running and were killed: ${named(5)}.`],
  ],
  [
    'what continues',
    false,
    some(7, 'kept'),
    [
      `The program ended, but processes that it started are still running: ${named(5)} and 2 more. To have such processes stopped, set leftover_processes to "stop" for this tool.`,
    ],
  ],
  [
    'what was killed in part',
    false,
    [...some(1, 'kept'), ...some(1, 'killed')],
    [
      'The program ended, but processes that it started kept running and were killed: "\\"0" (process 1), "\\"0" (process 1).',
    ],
  ],
])('a program that left %s behind', ([, pipesHeld, left, messages]) => {
  expect(describeLeft({ pipesHeld, left })).toEqual(
    messages.map((message) => ({ path: '', code: 'processes-left-behind', message })),
  )
})

const output = { isWhole: true, bytes: new Uint8Array([1]) } as const

test('a silent store is waited for ten seconds and then gives a warning', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let kept: unknown
  void keepOriginal(output, () => new Promise(() => {})).then((value) => (kept = value))
  await vi.advanceTimersByTimeAsync(9999)
  expect(kept).toBeUndefined()
  await vi.advanceTimersByTimeAsync(2)
  expect(kept).toEqual({
    warning: {
      path: '',
      code: 'output-not-kept',
      message: 'The original output could not be stored: no answer within 10 s.',
    },
  })
})

test('a store that answers leaves no timer behind', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const raw = { sha256: 'aa', bytes: 1 }
  expect(await keepOriginal(output, async () => raw)).toEqual({ raw })
  expect(vi.getTimerCount()).toBe(0)
})
