import type * as sdk from '@modelcontextprotocol/sdk/types.js'
import { expect, expectTypeOf, test } from 'vitest'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { ToolResult } from '../tools/tool-result.ts'
import {
  type Annotations,
  type AudioContent,
  type ContentBlock,
  type EmbeddedResource,
  type ImageContent,
  type Resource,
  type ResourceLink,
  type TextContent,
  getAudience,
  isAnnotations,
  isAudience,
  isPriority,
  isQuotedText,
  createQuotingBlocks,
} from './content-block.ts'
import { META_QUOTED } from './meta-keys.ts'

test('an audience is a list of user and assistant', () => {
  expect([[], ['user'], ['assistant', 'user']].every(isAudience)).toBe(true)
  expect(['user', ['User'], ['user', null], {}].some(isAudience)).toBe(false)
})

test('a priority is a number from 0 to 1', () => {
  expect([0, 0.5, 1].every(isPriority)).toBe(true)
  expect([-0.1, 1.1, NaN, '1', null].some(isPriority)).toBe(false)
})

test('a lastModified is any string', () => {
  expect(
    ['2025-01-12T15:00:58Z', 'yesterday'].every((lastModified) => isAnnotations({ lastModified })),
  ).toBe(true)
  expect([0, null, {}].some((lastModified) => isAnnotations({ lastModified }))).toBe(false)
})

test.for<[Annotations | undefined, string]>([
  [undefined, 'everyone'],
  [{}, 'everyone'],
  [{ audience: [] }, 'everyone'],
  [{ audience: ['user', 'assistant'] }, 'everyone'],
  [{ audience: ['user'] }, 'user'],
  [{ audience: ['assistant', 'assistant'] }, 'assistant'],
])('a block with %j is for %s', ([annotations, audience]) => {
  expect(getAudience({ type: 'text', text: 'a', ...(annotations && { annotations }) })).toBe(
    audience,
  )
})

test('a host text is a separate block, and its quotation is another block with a mark', () => {
  expect(createQuotingBlocks('It failed.', 'no\ndisk\n')).toEqual([
    { type: 'text', text: 'It failed.' },
    { type: 'text', text: 'no\ndisk\n', _meta: { [META_QUOTED]: true } },
  ])
})

test.for([undefined, '', ' \n'])('%j is not quoted', (quoted) => {
  expect(createQuotingBlocks('It failed.', quoted)).toEqual([{ type: 'text', text: 'It failed.' }])
})

test.for([
  [{ [META_QUOTED]: true }, true],
  [{ [META_QUOTED]: 1 }, false],
  [{}, false],
  [Object.create({ [META_QUOTED]: true }), false],
] as const)('a text with %j is quoted: %s', ([meta, quotes]) => {
  expect(isQuotedText({ type: 'text', text: 'a', _meta: meta })).toBe(quotes)
  expect(isQuotedText({ type: 'text', text: 'a' })).toBe(false)
})

// tsc checks these; running them does nothing.

/** The type without fields that are `undefined`, at every depth. */
type Defined<T> = T extends (infer Element)[]
  ? Defined<Element>[]
  : T extends object
    ? { [Key in keyof T]: Defined<Exclude<T[Key], undefined>> }
    : T

test('the content types of MCP’s SDK, without undefined, match ours', () => {
  expectTypeOf<Defined<sdk.TextContent>>().toExtend<TextContent>()
  expectTypeOf<Defined<sdk.ImageContent>>().toExtend<ImageContent>()
  expectTypeOf<Defined<sdk.AudioContent>>().toExtend<AudioContent>()
  expectTypeOf<Defined<sdk.ResourceLink>>().toExtend<ResourceLink>()
  expectTypeOf<Defined<sdk.EmbeddedResource>>().toExtend<EmbeddedResource>()
  expectTypeOf<Defined<sdk.ContentBlock>>().toExtend<ContentBlock>()
  expectTypeOf<Defined<sdk.TextResourceContents>>().toExtend<Resource>()
  expectTypeOf<Defined<sdk.BlobResourceContents>>().toExtend<Resource>()
  expectTypeOf<Defined<NonNullable<sdk.TextContent['annotations']>>>().toExtend<Annotations>()
})

test('the results and tools of MCP’s SDK match ours', () => {
  expectTypeOf<Defined<sdk.CallToolResult> & { isError: boolean }>().toExtend<ToolResult>()
  expectTypeOf<Defined<sdk.Tool>>().toExtend<ToolDefinition>()
})

test('with undefined they are not: the test tells the two apart', () => {
  expectTypeOf<sdk.TextContent>().not.toExtend<TextContent>()
  expectTypeOf<Defined<sdk.ContentBlock>['type']>().toEqualTypeOf<
    Exclude<ContentBlock['type'], 'question'>
  >()
})
