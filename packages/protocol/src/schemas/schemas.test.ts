import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import {
  isAnnotations,
  isAudioContent,
  isContentBlock,
  isEmbeddedResource,
  isImageContent,
  isQuestionContent,
  isResource,
  isResourceLink,
  isTextContent,
} from '../content/content-block.ts'
import { isInputRequest } from '../content/input-request.ts'
import { isDelivery } from '../conversation/delivery.ts'
import { isJsonSchema } from '../json/is-json.ts'
import { isProblem } from '../json/problem.ts'
import { isParameterDefinition } from '../parameters/parameter-definition.ts'
import { isAnswer, isAnswers } from '../questions/answer.ts'
import { isToolCall } from '../tools/tool-call.ts'
import { isToolDefinition } from '../tools/tool-definition.ts'
import {
  isBlobRef,
  isResourceIdentity,
  isResultMetadata,
  isToolResult,
} from '../tools/tool-result.ts'
import { isDisplayHints } from '../values/display-hints.ts'
import { isToolResultValue, isWellKnownValue } from '../values/tool-result-value.ts'
import { isToolDescription, isToolDescriptions } from '../wire/tool-description.ts'
import { isToolRequest } from '../wire/tool-request.ts'
import { changedOnce, mutated } from './mutated.support.ts'
import * as schemas from './schemas.support.ts'
import { makeValues } from './values-of.support.ts'

const pairs: readonly (readonly [string, (value: unknown) => boolean, TSchema])[] = [
  ['Annotations', isAnnotations, schemas.AnnotationsSchema],
  ['Answer', isAnswer, schemas.AnswerSchema],
  ['Answers', isAnswers, schemas.AnswersSchema],
  ['AudioContent', isAudioContent, schemas.AudioContentSchema],
  ['BlobRef', isBlobRef, schemas.BlobRefSchema],
  ['ContentBlock', isContentBlock, schemas.ContentBlockSchema],
  ['Delivery', isDelivery, schemas.DeliverySchema],
  ['DisplayHints', isDisplayHints, schemas.DisplayHintsSchema],
  ['EmbeddedResource', isEmbeddedResource, schemas.EmbeddedResourceSchema],
  ['ImageContent', isImageContent, schemas.ImageContentSchema],
  ['InputRequest', isInputRequest, schemas.InputRequestSchema],
  ['JsonSchema', isJsonSchema, schemas.JsonSchemaSchema],
  ['ParameterDefinition', isParameterDefinition, schemas.ParameterDefinitionSchema],
  ['Problem', isProblem, schemas.ProblemSchema],
  ['QuestionContent', isQuestionContent, schemas.QuestionContentSchema],
  ['Resource', isResource, schemas.ResourceSchema],
  ['ResourceIdentity', isResourceIdentity, schemas.ResourceIdentitySchema],
  ['ResourceLink', isResourceLink, schemas.ResourceLinkSchema],
  ['ResultMetadata', isResultMetadata, schemas.ResultMetadataSchema],
  ['TextContent', isTextContent, schemas.TextContentSchema],
  ['ToolCall', isToolCall, schemas.ToolCallSchema],
  ['ToolDefinition', isToolDefinition, schemas.ToolDefinitionSchema],
  ['ToolDescription', isToolDescription, schemas.ToolDescriptionSchema],
  ['ToolDescriptions', isToolDescriptions, schemas.ToolDescriptionsSchema],
  ['ToolRequest', isToolRequest, schemas.ToolRequestSchema],
  ['ToolResult', isToolResult, schemas.ToolResultSchema],
  ['ToolResultValue', isToolResultValue, schemas.ToolResultValueSchema],
  ['WellKnownValue', isWellKnownValue, schemas.WellKnownValueSchema],
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
    expect(isTextContent({ ...sample, mimeType: undefined })).toBe(false)
    expect(isTextContent({ ...sample, _meta: undefined })).toBe(false)
  })

  test('inherited fields do not count', () => {
    expect(isTextContent(Object.create(sample))).toBe(false)
    const forged = Object.assign({}, JSON.parse('{"__proto__":{"type":"text","text":"a"}}'))
    expect(forged.type).toBe('text')
    expect(isContentBlock(forged)).toBe(false)
  })

  test('a hole in an array is not an element', () => {
    const content: unknown[] = []
    content.length = 1
    expect(isToolResult({ content, isError: false })).toBe(false)
  })

  test('functions and dates are not valid defaults', () => {
    const question = { id: 'a', text: 'b', schema: true }
    expect(isInputRequest({ ...question, default: () => 1 })).toBe(false)
    expect(isInputRequest({ ...question, default: new Date(0) })).toBe(false)
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
