import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { isAnnotations } from './content.ts'
import * as protocol from './index.ts'
import { isJsonSchema } from './json.ts'
import { isParameterDefinition } from './parameters.ts'
import { changedOnce, mutated } from './schemas/mutated.support.ts'
import * as schemas from './schemas.ts'
import { makeValues } from './schemas/values-of.support.ts'

const pairs: readonly (readonly [string, (value: unknown) => boolean, TSchema])[] = [
  ['Annotations', isAnnotations, schemas.AnnotationsSchema],
  ['Answer', protocol.isAnswer, schemas.AnswerSchema],
  ['Answers', protocol.isAnswers, schemas.AnswersSchema],
  ['AudioContent', protocol.isAudioContent, schemas.AudioContentSchema],
  ['BlobRef', protocol.isBlobRef, schemas.BlobRefSchema],
  ['ContentBlock', protocol.isContentBlock, schemas.ContentBlockSchema],
  ['Delivery', protocol.isDelivery, schemas.DeliverySchema],
  ['DisplayHints', protocol.isDisplayHints, schemas.DisplayHintsSchema],
  ['EmbeddedResource', protocol.isEmbeddedResource, schemas.EmbeddedResourceSchema],
  ['ImageContent', protocol.isImageContent, schemas.ImageContentSchema],
  ['InputRequest', protocol.isInputRequest, schemas.InputRequestSchema],
  ['JsonSchema', isJsonSchema, schemas.JsonSchemaSchema],
  ['ParameterDefinition', isParameterDefinition, schemas.ParameterDefinitionSchema],
  ['Problem', protocol.isProblem, schemas.ProblemSchema],
  ['QuestionContent', protocol.isQuestionContent, schemas.QuestionContentSchema],
  ['Resource', protocol.isResource, schemas.ResourceSchema],
  ['ResourceIdentity', protocol.isResourceIdentity, schemas.ResourceIdentitySchema],
  ['ResourceLink', protocol.isResourceLink, schemas.ResourceLinkSchema],
  ['ResultMetadata', protocol.isResultMetadata, schemas.ResultMetadataSchema],
  ['TextContent', protocol.isTextContent, schemas.TextContentSchema],
  ['ToolCall', protocol.isToolCall, schemas.ToolCallSchema],
  ['ToolDefinition', protocol.isToolDefinition, schemas.ToolDefinitionSchema],
  ['ToolDescription', protocol.isToolDescription, schemas.ToolDescriptionSchema],
  ['ToolDescriptions', protocol.isToolDescriptions, schemas.ToolDescriptionsSchema],
  ['ToolRequest', protocol.isToolRequest, schemas.ToolRequestSchema],
  ['ToolResult', protocol.isToolResult, schemas.ToolResultSchema],
  ['ToolResultValue', protocol.isToolResultValue, schemas.ToolResultValueSchema],
  ['WellKnownValue', protocol.isWellKnownValue, schemas.WellKnownValueSchema],
]

test('every schema is compared with a guard', () => {
  expect(pairs.map(([name]) => `${name}Schema`).toSorted()).toEqual(Object.keys(schemas).toSorted())
})

describe('guard and schema agree', () => {
  test.for(pairs)('on %s', ([, guard, schema]) => {
    const checker = Compile(schema)
    const valid = makeValues(JSON.parse(JSON.stringify(schema)))
    fc.assert(
      fc.property(valid, (value) => {
        expect([checker.Check(value), guard(value)]).toEqual([true, true])
      }),
    )
    const any = fc.oneof(valid.chain(mutated), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(any, (value) => {
        expect(guard(value)).toBe(checker.Check(value))
      }),
      { numRuns: 200 },
    )
  })
})

test.for(pairs)(
  'guard and schema of %s agree on each field of some values',
  ([, guard, schema]) => {
    const checker = Compile(schema)
    const valid = makeValues(JSON.parse(JSON.stringify(schema)))
    for (const value of fc.sample(valid, { seed: 1, numRuns: 10 })) {
      const changes = [...changedOnce(value)]
      expect(changes.filter((changed) => guard(changed) !== checker.Check(changed))).toEqual([])
    }
  },
)

describe('values that JSON cannot represent', () => {
  const sample = { type: 'text', text: 'a' }

  test('undefined is not the same as absent', () => {
    expect(protocol.isTextContent({ ...sample, mimeType: undefined })).toBe(false)
    expect(protocol.isTextContent({ ...sample, _meta: undefined })).toBe(false)
  })

  test('inherited fields do not count', () => {
    expect(protocol.isTextContent(Object.create(sample))).toBe(false)
    const forged = Object.assign({}, JSON.parse('{"__proto__":{"type":"text","text":"a"}}'))
    expect(forged.type).toBe('text')
    expect(protocol.isContentBlock(forged)).toBe(false)
  })

  test('a hole in an array is not an element', () => {
    const content: unknown[] = []
    content.length = 1
    expect(protocol.isToolResult({ content, isError: false })).toBe(false)
  })

  test('functions and dates are not valid defaults', () => {
    const question = { id: 'a', text: 'b', schema: true }
    expect(protocol.isInputRequest({ ...question, default: () => 1 })).toBe(false)
    expect(protocol.isInputRequest({ ...question, default: new Date(0) })).toBe(false)
  })
})

describe('the guard of a value of any depth returns', () => {
  const deep = JSON.parse('{"a":'.repeat(100_000) + 'null' + '}'.repeat(100_000))
  const items = JSON.parse('{"items":'.repeat(100_000) + '{}' + '}'.repeat(100_000))

  test.for(pairs)('%s', ([, guard]) => {
    expect(typeof guard(deep)).toBe('boolean')
    expect(typeof guard({ type: 'question', question: deep, default: deep, metadata: deep })).toBe(
      'boolean',
    )
  })

  test('a parameter deeper than the limit is refused', () => {
    expect(isParameterDefinition(items)).toBe(false)
  })
})
