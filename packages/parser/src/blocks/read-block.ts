import {
  describeValue,
  quoteBriefly,
  type ContentBlock,
  type JsonObject,
} from '@toolblocks/protocol'
import { type Reading, skipBlock, warn } from '../reading.ts'
import { textOfScalar } from '../result/coerce-content.ts'
import { textPlace } from './places.ts'
import { asObject, takeWhole, readFields } from './read-fields.ts'
import { readLink } from './read-link.ts'
import { readMedia } from './read-media.ts'
import { readQuestion } from './read-question.ts'
import { readEmbeddedResource } from './read-resource.ts'
import { renameMimeType } from './rename-field.ts'

/** Reads one block: the same object where nothing is wrong, a repaired copy, or `undefined` with a warning. */
export function readBlock(value: unknown, reading: Reading): ContentBlock | undefined {
  const block = asObject(value, reading)
  const read = block
    ? readByType(renameMimeType(block, reading), reading)
    : readScalar(value, reading)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every reader below has checked each field
  return read as ContentBlock | undefined
}

function readByType(block: JsonObject, reading: Reading): JsonObject | undefined {
  switch (block['type']) {
    case 'text':
      return readText(block, reading)
    case 'image':
    case 'audio':
      return readMedia(block, block['type'], reading)
    case 'resource':
      return readEmbeddedResource(block, reading)
    case 'resource_link':
      return readLink(block, reading)
    case 'question':
      return reading.from === 'mcp' ? skipUnknown(block, reading) : readQuestion(block, reading)
    default:
      return skipUnknown(block, reading)
  }
}

function readText(block: JsonObject, reading: Reading): JsonObject | undefined {
  if (typeof block['text'] === 'string') {
    return takeWhole(block, 2, reading) ? block : readFields(block, textPlace, reading)
  }
  const text = textOfScalar(block['text'])
  if (text === undefined)
    return skipBlock(reading, {
      code: 'malformed-block',
      message: 'a text block needs a string "text".',
      expected: 'string in "text"',
      got: describeValue(block['text']),
    })
  warn(reading, {
    code: 'coerced-text',
    at: '/text',
    message: '"text" was read as a string.',
    expected: 'string',
    got: describeValue(block['text']),
  })
  return readFields({ ...block, text }, textPlace, reading)
}

/** A bare string, number or truth value is what a text block would say. */
function readScalar(value: unknown, reading: Reading): JsonObject | undefined {
  const text = textOfScalar(value)
  if (text === undefined) return skipNoObject(value, reading)
  warn(reading, {
    code: 'coerced-text',
    at: '/text',
    message: 'A bare value was read as a text block.',
    expected: 'object with a "type"',
    got: describeValue(value),
  })
  return { type: 'text', text }
}

function skipUnknown(block: JsonObject, reading: Reading): undefined {
  const { type } = block
  const types = 'text, image, audio, resource, resource_link'
  return skipBlock(reading, {
    code: typeof type === 'string' ? 'unknown-block-type' : 'malformed-block',
    message:
      typeof type === 'string' ? `its type ${quoteBriefly(type)} is unknown.` : 'it has no "type".',
    expected: `"type" one of ${types}${reading.from === 'mcp' ? '' : ', question'}`,
    got: describeValue(type),
  })
}

function skipNoObject(value: unknown, reading: Reading): undefined {
  return skipBlock(reading, {
    code: 'malformed-block',
    message: 'a block is an object with a "type".',
    expected: 'object',
    got: describeValue(value),
  })
}
