// Finds what differs between the answers of a server and those that come through the gateway.

import { isUtf8 } from 'node:buffer'

/** What differs from run to run, also of the same program: times, durations, identifiers. */
const VARIES = [
  [/\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d[:-]\d\d(?:[.-]\d+)?Z?/g, '<time>'],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, '<time>'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<id>'],
  [/\b\d+(?:\.\d+)? ?ms\b/g, '<duration>'],
]

/** Replaces what differs from run to run in every text of a value. */
function normalise(value) {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value), (key, each) =>
    typeof each === 'string' ? replaceAll(key === 'blob' ? readBlob(each) : each) : each,
  )
}

const replaceAll = (text) =>
  VARIES.reduce((replaced, [pattern, name]) => replaced.replaceAll(pattern, name), text)

/** Returns the text of a blob that has one. */
function readBlob(blob) {
  const bytes = Buffer.from(blob, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : blob
}

/** Compares two maps of answers. Returns each differing leaf: the answer, the path in it, and both values. */
export function findDifferences(bare, gateway) {
  const names = new Set([...bare.keys(), ...gateway.keys()])
  return [...names].flatMap((name) => {
    const answers = { bare: normalise(bare.get(name)), gateway: normalise(gateway.get(name)) }
    return compare(answers.bare, answers.gateway, '').map((each) => ({ name, ...each, answers }))
  })
}

function compare(bare, gateway, path) {
  if (isBranch(bare) && isBranch(gateway) && Array.isArray(bare) === Array.isArray(gateway)) {
    const keys = new Set([...Object.keys(bare), ...Object.keys(gateway)])
    return [...keys].flatMap((key) =>
      compare(
        Object.hasOwn(bare, key) ? bare[key] : undefined,
        Object.hasOwn(gateway, key) ? gateway[key] : undefined,
        `${path}/${key}`,
      ),
    )
  }
  return Object.is(bare, gateway) ? [] : [{ path, bare, gateway }]
}

const isBranch = (value) => typeof value === 'object' && value !== null
