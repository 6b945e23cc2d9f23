import { describe, expect, test } from 'vitest'
import { createErrorResult, type ContentBlock, type ToolResult } from '@toolblocks/protocol'
import { META_STATUS } from '@toolblocks/protocol/internal'
import {
  asking,
  confirm,
  done,
  person,
  question,
  run,
  text,
  makeTool,
  getWords,
} from './inquiry.support.ts'

describe('inconsistent results', () => {
  const withStatus = (status: unknown, ...content: ContentBlock[]): ToolResult => ({
    ...asking(...content),
    _meta: { [META_STATUS]: status },
  })

  test.for<[string, ToolResult, string]>([
    [
      'questions of a failed call',
      createErrorResult([text('no'), confirm('go')]),
      'questions of a failed call are not asked',
    ],
    [
      'questions of a tool that has stopped',
      withStatus('stopped', confirm('go')),
      'questions of a tool that says it has stopped are not asked',
    ],
    [
      'running from a tool that is not stateful',
      withStatus('running', text('…')),
      'the tool says that it is running, but it is not declared stateful',
    ],
    [
      'waiting without a question',
      withStatus('waiting', text('…')),
      'the tool says that it is waiting, but it asks nothing',
    ],
    [
      'an unknown status',
      withStatus('spawned', confirm('go')),
      'the status "spawned" is unknown; the call counts as stopped',
    ],
  ])(
    '%s: the result does not change, a warning is added, and no question is asked',
    async ([, result, message]) => {
      const user = person(true)
      const ended = await run(
        makeTool(() => result),
        user,
      )
      expect(user.asked).toEqual([])
      expect(ended.content).toBe(result.content)
      const path = '/_meta/computer.jp~1status'
      expect(ended.metadata?.warnings).toEqual([{ path, message, code: 'inconsistent-result' }])
    },
  )

  test('a waiting tool with a question is asked about it', async () => {
    const tool = makeTool((answers) =>
      'go' in answers ? done : withStatus('waiting', confirm('go')),
    )
    expect(await run(tool, person(true))).toBe(done)
  })

  test('a running stateful tool gives no warning', async () => {
    const result = withStatus('running', text('…'))
    const spawn = async (): Promise<never> => Promise.reject(new Error('not used'))
    expect(await run(makeTool(() => result, { spawn }))).toBe(result)
  })

  test('a question with an empty id is not asked, and a warning says so', async () => {
    const user = person(true)
    const tool = makeTool(() => asking(confirm('', 'Sure?')))
    const result = await run(tool, user)
    expect([user.asked, tool.runs.length]).toEqual([[], 1])
    expect(result).toMatchObject({
      content: [{ type: 'question' }],
      metadata: {
        warnings: [
          {
            path: '/content',
            message: 'a question without an id cannot be answered, so nothing was asked',
            code: 'inconsistent-result',
          },
        ],
      },
    })
  })

  test('a repeated id is asked once, and a warning says so', async () => {
    const tool = makeTool((answers) =>
      'go' in answers ? done : asking(confirm('go'), confirm('go')),
    )
    const user = person(true)
    const result = await run(tool, user)
    expect(user.asked).toHaveLength(1)
    expect(result.metadata?.warnings).toEqual([
      {
        path: '',
        message: 'the question "go" was asked twice in one result; the second was omitted',
        code: 'repeated-question',
      },
    ])
  })

  test('an invalid schema is a clear error', async () => {
    const broken = question({ id: 'go', text: 'Go?', schema: { type: 'yes' } })
    const result = await run(
      makeTool(() => asking(broken)),
      person(true),
    )
    expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
    expect(getWords(result)).toBe(
      'The tool asked "go" with an invalid schema: /type expected "array", "boolean", "integer", "null", "number", "object" or "string", got string "yes"',
    )
  })

  test('all problems of a schema are reported, also if the complete schema is invalid', async () => {
    const several = { allOf: [{ pattern: '(' }, { pattern: '[' }] }
    for (const [schema, pattern] of [
      [several, /schema: \/allOf\/0\/pattern the [^;]*; \/allOf\/1\/pattern the [^;]*$/],
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an untyped tool
      [7 as unknown as boolean, /schema: \/ expected /],
    ] as const) {
      const result = await run(
        makeTool(() => asking(question({ id: 'go', text: 'Go?', schema }))),
        person(true),
      )
      expect(getWords(result)).toMatch(pattern)
    }
  })

  test('of a text with several lines the first is the label, and the complete text is shown before', async () => {
    const long = confirm('go', 'Apply?\n\n- one\n- two')
    const user = person(true)
    await run(
      makeTool((answers) => ('go' in answers ? done : asking(text('diff'), long))),
      user,
    )
    const [[request, seen] = []] = user.asked
    expect(request?.text).toBe('Apply?')
    expect(seen?.blocks).toEqual([text('diff'), text('Apply?\n\n- one\n- two')])
  })

  test('an invalid default is removed before the question is shown, and a warning says so', async () => {
    const bad = question({ id: 'go', text: 'Go?', schema: { type: 'boolean' }, default: 'yes' })
    const user = person(true)
    const result = await run(
      makeTool((answers) => ('go' in answers ? done : asking(bad))),
      user,
    )
    expect(user.asked[0]?.[0]).not.toHaveProperty('default')
    expect(result.metadata?.warnings).toEqual([
      {
        path: '/default',
        message: 'the default of the question "go" is not used: expected boolean, got string "yes"',
        code: 'invalid-default',
      },
    ])
  })
})
