import type * as sdk from '@modelcontextprotocol/sdk/types.js'
import { expectTypeOf, test } from 'vitest'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { ToolResult } from '../tools/tool-result.ts'
import type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  Resource,
  ResourceLink,
  TextContent,
} from './content-block.ts'

// tsc holds these; running them does nothing.

/** The type as it is once a field that is `undefined` is left out, at every depth. */
type Defined<T> = T extends (infer Element)[]
  ? Defined<Element>[]
  : T extends object
    ? { [Key in keyof T]: Defined<Exclude<T[Key], undefined>> }
    : T

test('the content types of MCP’s SDK, without undefined, are ours', () => {
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

test('so are its results and tools', () => {
  expectTypeOf<Defined<sdk.CallToolResult> & { isError: boolean }>().toExtend<ToolResult>()
  expectTypeOf<Defined<sdk.Tool>>().toExtend<ToolDefinition>()
})

test('with undefined they are not: the test tells the two apart', () => {
  expectTypeOf<sdk.TextContent>().not.toExtend<TextContent>()
  expectTypeOf<Defined<sdk.ContentBlock>['type']>().toEqualTypeOf<
    Exclude<ContentBlock['type'], 'question'>
  >()
})
