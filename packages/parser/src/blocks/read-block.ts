import { sniffMimeType } from '@toolblocks/media-type'
import { type ContentBlock, type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  countBytes,
  decodeBase64,
  describeValue,
  quoteBriefly,
  MAX_URI_BYTES,
  withOriginalWireFields,
} from '@toolblocks/protocol/internal'
import { inspectJson } from '../json/inspect-json.ts'
import { type Reading, skipBlock, warn } from '../reading/reading.ts'
import { readBase64 } from './read-base64.ts'
import {
  asObject,
  embeddedResourceShape,
  linkShape,
  mediaShape,
  readFields,
  renameMimeType,
  resourceShape,
  takeWhole,
  textShape,
} from './read-fields.ts'
import { readQuestion } from './read-question.ts'

/** Reads one block. Returns the same object if it is valid, a repaired copy, or `undefined` with a warning. */
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
    return takeWhole(block, 2, reading) ? block : readFields(block, textShape, reading)
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
  return readFields({ ...block, text }, textShape, reading)
}

/** A plain string, number or boolean becomes a text block. */
function readScalar(value: unknown, reading: Reading): JsonObject | undefined {
  const text = textOfScalar(value)
  if (text === undefined) return skipNoObject(value, reading)
  warn(reading, {
    code: 'coerced-text',
    at: '/text',
    message: 'A plain value was read as a text block.',
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

type MediaType = 'image' | 'audio'

/** Reads an image or audio block: checks its base64, and finds a missing MIME type from the first bytes. */
function readMedia(block: JsonObject, type: MediaType, reading: Reading): JsonObject | undefined {
  const { data, mimeType } = block
  if (typeof data !== 'string') {
    return skipBlock(reading, {
      code: 'malformed-block',
      message: `an ${type} block needs base64 in "data".`,
      expected: 'string in "data"',
      got: describeValue(data),
    })
  }
  const content = readBase64(data, '/data', reading)
  if (!content) return undefined
  const { base64 } = content
  // An empty type has no more meaning than an absent one, but it was sent. It stays if the bytes give no type.
  const declared = typeof mimeType === 'string' ? mimeType : undefined
  const known = declared || (findMimeType(content, type) ?? declared)
  if (known === undefined) {
    return skipBlock(reading, {
      code: 'missing-mime-type',
      message: `an ${type} block needs a "mimeType", and its first bytes do not identify one.`,
      expected: 'string in "mimeType"',
      got: describeValue(mimeType),
    })
  }
  if (known !== mimeType) warnOfMimeType(known, mimeType, reading)
  const isWhole = base64 === data && known === mimeType
  if (isWhole && takeWhole(block, 3, reading)) return block
  const repaired = isWhole ? block : { ...block, data: base64, mimeType: known }
  return readFields(repaired, mediaShape, reading)
}

function findMimeType(
  { base64, mimeType }: { base64: string; mimeType?: string },
  type: MediaType,
): string | undefined {
  // Forty characters are thirty bytes, more than any signature needs.
  const detected = mimeType ?? sniffMimeType(decodeBase64(base64.slice(0, 40)))
  return detected?.startsWith(`${type}/`) ? detected : undefined
}

function warnOfMimeType(known: string, declared: unknown, reading: Reading): void {
  warn(reading, {
    code: 'sniffed-mime-type',
    at: '/mimeType',
    message: `The mime type is missing; the data says ${known}.`,
    expected: 'string',
    got: describeValue(declared),
  })
}

/**
 * Reads a resource block. `annotations` and `formatted` inside the resource move to the block; `name`, `title` and `description` beside it move into the
 * resource.
 */
function readEmbeddedResource(block: JsonObject, reading: Reading): JsonObject | undefined {
  const object = asObject(block['resource'], reading)
  if (!object) return skipResource('an object "resource"', block['resource'], reading)
  const { uri, text, blob } = object
  if (typeof uri !== 'string') return skipResource('a string "resource.uri"', uri, reading)
  const content = keepOneContent(withoutNulls(object, reading), reading)
  if (!content) return undefined
  const resource = readFields(content, resourceShape, reading)
  warnOfLongUri('/resource/uri', uri, reading)
  const read = takeWhole(block, 2, reading)
    ? block
    : readFields(block, embeddedResourceShape, reading)
  const whole = resource === block['resource'] ? read : { ...read, resource }
  const hasBoth = typeof text === 'string' && typeof blob === 'string'
  const kept = hasBoth ? withOriginalWireFields(whole, { blob }) : whole
  return moveInside(hoistFields(kept, resource, reading), resource, reading)
}

/** `null` beside the content means absent. */
function withoutNulls(resource: JsonObject, reading: Reading): JsonObject {
  const unused = ['text', 'blob'].filter((name) => resource[name] === null)
  if (unused.length === 0) return resource
  reading.inexact = true
  return unused.reduce((rest, name) => without(name, rest), resource)
}

/** Keeps either `text` or `blob`. Returns the same object if there is exactly one and nothing to repair. */
function keepOneContent(resource: JsonObject, reading: Reading): JsonObject | undefined {
  const { text, blob } = resource
  if (typeof text === 'string') {
    if (blob === undefined) return resource
    warnOfUnused('blob', blob, reading)
    return { ...resource, blob: undefined }
  }
  if (typeof blob !== 'string') {
    return skipResource('a string "resource.text" or "resource.blob"', text ?? blob, reading)
  }
  const content = readBase64(blob, '/resource/blob', reading)
  if (!content) return undefined
  if (text === undefined && content.base64 === blob) return resource
  if (text !== undefined) warnOfUnused('text', text, reading)
  return { ...resource, text: undefined, blob: content.base64 }
}

function hoistFields(block: JsonObject, resource: JsonObject, reading: Reading): JsonObject {
  let whole = block
  for (const name of ['annotations', 'formatted']) {
    if (!Object.hasOwn(resource, name) || Object.hasOwn(block, name)) continue
    whole = { ...whole, [name]: resource[name], resource: without(name, whole['resource']) }
    warn(reading, {
      code: 'hoisted-field',
      at: `/resource/${name}`,
      message: `"${name}" was moved from "resource" to the block.`,
      expected: `"${name}" beside "resource"`,
      got: `"${name}" inside "resource"`,
    })
  }
  return whole
}

/** Moves what describes the resource from the block into it, unless the resource has its own. */
function moveInside(block: JsonObject, resource: JsonObject, reading: Reading): JsonObject {
  let whole = block
  for (const name of ['name', 'title', 'description']) {
    if (!Object.hasOwn(whole, name) || Object.hasOwn(resource, name)) continue
    const inner = isJsonObject(whole['resource']) ? whole['resource'] : resource
    whole = { ...without(name, whole), resource: { ...inner, [name]: whole[name] } }
    warn(reading, {
      code: 'hoisted-field',
      at: `/${name}`,
      message: `"${name}" was moved from the block into "resource".`,
      expected: `"${name}" inside "resource"`,
      got: `"${name}" beside "resource"`,
    })
  }
  return whole
}

function without(name: string, resource: unknown): JsonObject {
  const { [name]: _moved, ...rest } = isJsonObject(resource) ? resource : {}
  return rest
}

function warnOfUnused(name: 'text' | 'blob', value: unknown, reading: Reading): void {
  warn(reading, {
    code: 'text-and-blob',
    at: `/resource/${name}`,
    message: `The resource has both "text" and "blob"; "${name}" is not used.`,
    expected: 'either "text" or "blob"',
    got: describeValue(value),
  })
}

function skipResource(needs: string, got: unknown, reading: Reading): undefined {
  return skipBlock(reading, {
    code: 'malformed-block',
    message: `a resource block needs ${needs}.`,
    expected: needs,
    got: describeValue(got),
  })
}

/** Reads a resource_link block. A missing name is taken from the URI. */
function readLink(block: JsonObject, reading: Reading): JsonObject | undefined {
  const { uri, name } = block
  if (typeof uri !== 'string') {
    return skipBlock(reading, {
      code: 'malformed-block',
      message: 'a resource_link block needs a string "uri".',
      expected: 'string in "uri"',
      got: describeValue(uri),
    })
  }
  if (reading.from === 'tool') warnOfLocalLink(reading)
  warnOfLongUri('/uri', uri, reading)
  // A known number. `readFields` checks only its type, not its precision.
  inspectJson(block['size'], linkShape.depth, reading)
  if (typeof name === 'string') return readFields(block, linkShape, reading)
  const derived = getName(uri)
  warn(reading, {
    code: 'derived-name',
    at: '/name',
    message: `The link has no name; its uri gives ${quoteBriefly(derived)}.`,
    expected: 'string',
    got: describeValue(name),
  })
  return readFields({ ...block, name: derived }, linkShape, reading)
}

/** Returns the last segment of the path, or the complete URI. */
function getName(uri: string): string {
  const query = uri.search(/[?#]/)
  let end = query === -1 ? uri.length : query
  // Not a regular expression, because it would take quadratic time for a long run of slashes.
  while (uri.charAt(end - 1) === '/') end -= 1
  return uri.slice(uri.lastIndexOf('/', end - 1) + 1, end) || uri
}

function warnOfLocalLink(reading: Reading): void {
  warn(reading, {
    code: 'local-resource-link',
    at: '/type',
    message: 'The link of a local tool cannot be fetched. Embed the content in a "resource" block.',
    expected: 'resource',
    got: 'resource_link',
  })
}

/** Adds a warning about a URI over the limit. It stays unchanged, but it identifies nothing. */
function warnOfLongUri(path: string, uri: string, reading: Reading): void {
  // A character has at most three bytes, so most URIs need no counting.
  if (uri.length * 3 <= MAX_URI_BYTES) return
  const bytes = countBytes(uri)
  if (bytes <= MAX_URI_BYTES) return
  warn(reading, {
    code: 'long-uri',
    at: path,
    message: 'The uri is too long to identify the resource; the block is kept.',
    expected: `at most ${MAX_URI_BYTES} bytes`,
    got: `${bytes} bytes`,
  })
}

/** Returns a string, number or boolean as text; `undefined` for other values. */
export function textOfScalar(value: unknown): string | undefined {
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isScalar ? String(value) : undefined
}
