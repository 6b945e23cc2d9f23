import { withWireClaims, describeValue, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { type Reading, skipBlock, warn } from '../reading.ts'
import { embeddedResourcePlace, resourcePlace } from './places.ts'
import { readBase64 } from './read-base64.ts'
import { asObject, takeWhole, readFields } from './read-fields.ts'
import { warnOfLongUri } from './warn-of-long-uri.ts'

/** Reads a resource block. `annotations` and `formatted` that stand inside the resource move to the block. */
export function readEmbeddedResource(block: JsonObject, reading: Reading): JsonObject | undefined {
  const given = asObject(block['resource'], reading)
  if (!given) return skipResource('an object "resource"', block['resource'], reading)
  const { uri, text, blob } = given
  if (typeof uri !== 'string') return skipResource('a string "resource.uri"', uri, reading)
  const content = keepOneContent(withoutNulls(given, reading), reading)
  if (!content) return undefined
  const resource = readFields(content, resourcePlace, reading)
  warnOfLongUri('/resource/uri', uri, reading)
  const read = takeWhole(block, 2, reading)
    ? block
    : readFields(block, embeddedResourcePlace, reading)
  const whole = resource === block['resource'] ? read : { ...read, resource }
  const hasBoth = typeof text === 'string' && typeof blob === 'string'
  return hoistFields(hasBoth ? withWireClaims(whole, { blob }) : whole, resource, reading)
}

/** `null` beside the content says that there is nothing, as leaving the field out does. */
function withoutNulls(resource: JsonObject, reading: Reading): JsonObject {
  const unused = ['text', 'blob'].filter((name) => resource[name] === null)
  if (unused.length === 0) return resource
  reading.inexact = true
  return unused.reduce((rest, name) => without(name, rest), resource)
}

/** Settles on `text` or `blob`: the same object where there is exactly one and nothing to repair. */
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
      message: `"${name}" was moved beside "resource", where it belongs.`,
      expected: `"${name}" beside "resource"`,
      got: `"${name}" inside "resource"`,
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
