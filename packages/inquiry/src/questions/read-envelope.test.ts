import { describe, expect, test } from 'vitest'
import {
  createErrorResult,
  META_STATUS,
  type ContentBlock,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  asking,
  confirm,
  done,
  person,
  question,
  run,
  text,
  toolOf,
  wordsOf,
} from '../inquiry.suite.ts'

describe('odd envelopes', () => {
  const withStatus = (status: unknown, ...content: ContentBlock[]): ToolResult => ({
    ...asking(...content),
    _meta: { [META_STATUS]: status },
  })

  test.for<[string, ToolResult, string]>([
    [
      'questions of a failed call',
      createErrorResult([text('no'), confirm('go')]),
      'failed call are not asked',
    ],
    [
      'questions of a tool that has stopped',
      withStatus('stopped', confirm('go')),
      'has stopped are not asked',
    ],
    [
      'running from a tool that is not stateful',
      withStatus('running', text('…')),
      'not declared stateful',
    ],
    ['waiting without a question', withStatus('waiting', text('…')), 'asks nothing'],
    ['an unknown status', withStatus('spawned', confirm('go')), 'is unknown'],
  ])('%s: the result stands, with a warning, and nobody is asked', async ([, result, words]) => {
    const user = person(true)
    const ended = await run(
      toolOf(() => result),
      user,
    )
    expect(user.asked).toEqual([])
    expect(ended.content).toBe(result.content)
    expect(ended.metadata?.warnings?.at(-1)?.message).toContain(words)
  })

  test('waiting with a question is asked', async () => {
    const tool = toolOf((answers) =>
      'go' in answers ? done : withStatus('waiting', confirm('go')),
    )
    expect(await run(tool, person(true))).toBe(done)
  })

  test('running from a stateful tool is no warning', async () => {
    const result = withStatus('running', text('…'))
    const spawn = async (): Promise<never> => Promise.reject(new Error('not used'))
    expect(await run(toolOf(() => result, { spawn }))).toBe(result)
  })

  test('an empty id is asked of nobody, and said', async () => {
    const user = person(true)
    const tool = toolOf(() => asking(confirm('', 'Sure?')))
    const result = await run(tool, user)
    expect([user.asked, tool.runs.length]).toEqual([[], 1])
    expect(result).toMatchObject({
      content: [{ type: 'question' }],
      metadata: { warnings: [{ path: '/content', code: 'odd-envelope' }] },
    })
  })

  test('a repeated id is asked once, and said', async () => {
    const tool = toolOf((answers) =>
      'go' in answers ? done : asking(confirm('go'), confirm('go')),
    )
    const user = person(true)
    const result = await run(tool, user)
    expect(user.asked).toHaveLength(1)
    expect(result.metadata?.warnings).toMatchObject([{ code: 'repeated-question' }])
  })

  test('a schema that is none is a clear error', async () => {
    const broken = question({ id: 'go', text: 'Go?', schema: { type: 'yes' } })
    const result = await run(
      toolOf(() => asking(broken)),
      person(true),
    )
    expect(wordsOf(result)).toContain('with a schema that is none: /type')
  })

  test('of a text with several lines the first is the label, and all of it is shown before', async () => {
    const long = confirm('go', 'Apply?\n\n- one\n- two')
    const user = person(true)
    await run(
      toolOf((answers) => ('go' in answers ? done : asking(text('diff'), long))),
      user,
    )
    const [[request, seen] = []] = user.asked
    expect(request?.text).toBe('Apply?')
    expect(seen?.blocks).toEqual([text('diff'), text('Apply?\n\n- one\n- two')])
  })

  test('a default that does not fit is dropped before anyone sees it, and said', async () => {
    const bad = question({ id: 'go', text: 'Go?', schema: { type: 'boolean' }, default: 'yes' })
    const user = person(true)
    const result = await run(
      toolOf((answers) => ('go' in answers ? done : asking(bad))),
      user,
    )
    expect(user.asked[0]?.[0]).not.toHaveProperty('default')
    expect(result.metadata?.warnings).toMatchObject([{ code: 'invalid-default' }])
  })
})
