import { describeValue, quoteBriefly, type JsonObject } from '@toolblocks/protocol'
import { inspectJson } from '../json/inspect-json.ts'
import { type Reading, skipBlock, warn } from '../reading.ts'
import { linkPlace } from './places.ts'
import { readFields } from './read-fields.ts'
import { warnOfLongUri } from './warn-of-long-uri.ts'

/** Reads a resource_link block; a missing name is taken from the uri. */
export function readLink(block: JsonObject, reading: Reading): JsonObject | undefined {
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
  // A known number: `readFields` asks for its type only, not whether it was read exactly.
  inspectJson(block['size'], linkPlace.depth, reading)
  if (typeof name === 'string') return readFields(block, linkPlace, reading)
  const derived = nameOf(uri)
  warn(reading, {
    code: 'derived-name',
    at: '/name',
    message: `The link has no name; its uri gives ${quoteBriefly(derived)}.`,
    expected: 'string',
    got: describeValue(name),
  })
  return readFields({ ...block, name: derived }, linkPlace, reading)
}

/** The last segment of the path, or all of the uri. */
function nameOf(uri: string): string {
  const query = uri.search(/[?#]/)
  let end = query === -1 ? uri.length : query
  // No regular expression: on a long run of slashes it would take quadratic time.
  while (uri.charAt(end - 1) === '/') end -= 1
  return uri.slice(uri.lastIndexOf('/', end - 1) + 1, end) || uri
}

function warnOfLocalLink(reading: Reading): void {
  warn(reading, {
    code: 'local-resource-link',
    at: '/type',
    message: 'Nobody can fetch the link of a local tool. Embed the content in a "resource" block.',
    expected: 'resource',
    got: 'resource_link',
  })
}
